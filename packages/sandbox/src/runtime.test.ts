import { execFileSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { wrapProgram, runtimeSettings } from './runtime.js';

const VIEW = [
  { path: '/tmp', sight: 'empty', isFolder: true, isPassable: true },
  { path: '/run', sight: 'empty', isFolder: true, isPassable: false },
  { path: '/home/ann/.ssh', sight: 'hidden', isFolder: true, isPassable: false },
  { path: '/home/ann/work', sight: 'writable', isFolder: true, isPassable: false },
  { path: '/home/ann/work/.git/hooks', sight: 'read-only', isFolder: true, isPassable: false },
] as const;

it('the settings of the runtime are the view, and the domains', () => {
  const domains = { allowedDomains: ['a.com'], deniedDomains: ['b.a.com'] };
  expect(runtimeSettings({ view: VIEW, domains, bwrapPath: '/usr/bin/bwrap' })).toEqual({
    network: domains,
    filesystem: {
      denyRead: ['/home/ann/.ssh', '/run'],
      allowRead: ['/home/ann/work', '/home/ann/work/.git/hooks'],
      allowWrite: ['/home/ann/work'],
      denyWrite: ['/home/ann/.ssh', '/home/ann/work/.git/hooks'],
    },
    bwrapPath: '/usr/bin/bwrap',
  });
});

it("the runtime does not see the program's variables, and the program gets them as they are", () => {
  const env = { NODE_OPTIONS: '--require /x.js', PATH: '/evil', TOKEN: `a'b"c\n$(x) \\`, 'not a name': 'x' };
  const script = 'console.log(JSON.stringify(process.env))';
  const { environment, command } = wrapProgram(
    { command: process.execPath, args: ['-e', script], env: { ...env, NODE_OPTIONS: '--no-warnings' } },
    { PATH: '/usr/bin:/bin' },
  );
  expect(environment['NODE_OPTIONS']).toBeUndefined();
  expect(environment['PATH']).toBe('/usr/bin:/bin');
  expect(command.join(' ')).not.toContain("a'b");
  const [shell = '', ...args] = command;
  const seen = JSON.parse(execFileSync(shell, args, { env: environment, encoding: 'utf8' })) as object;
  expect(seen).toMatchObject({ TOKEN: env.TOKEN, PATH: '/evil', NODE_OPTIONS: '--no-warnings' });
  expect(Object.keys(seen).filter((name) => name.startsWith('MCPMUX_SANDBOXED_'))).toEqual([]);
});
