import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { PackageRegistry } from '../testing/package-registry.js';
import { add } from './add.js';
import { outdated } from './outdated.js';
import { TemporaryHome } from './testing/temporary-home.js';
import { upgrade } from './upgrade.js';

const TOOL = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
const TOOLS = {
  '^1.0': [TOOL],
  '1.0.0': [TOOL, { ...TOOL, name: 'old' }],
  '1.1.0': [
    { ...TOOL, description: 'Reads more.' },
    { ...TOOL, name: 'new' },
  ],
};

let registry: PackageRegistry;
let folder: TemporaryHome;
let home: TemporaryHome;

beforeEach(async () => {
  folder = new TemporaryHome();
  registry = await PackageRegistry.open(folder.home, '1.0.0', TOOLS);
  home = new TemporaryHome(registry.environment);
  vi.stubEnv('PATH', registry.environment['PATH']);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await registry[Symbol.asyncDispose]();
  home[Symbol.dispose]();
  folder[Symbol.dispose]();
});

function args(): unknown {
  const config = JSON.parse(home.read('.config/mcpmux/config.json')) as {
    readonly mcpServers: { readonly files: { readonly args: readonly string[] } };
  };
  return config.mcpServers.files.args;
}

it('a package is added with its version, an upgrade says what changes, and the way back leads back', async () => {
  await add(home.context(), ['npm:files', '/tmp'], {});
  expect(args()).toEqual(['-y', 'files@1.0.0', '/tmp']);
  expect(await outdated(home.context(), [], {})).toBe(0);
  expect(home.out).toBe('files  npm files  1.0.0, the newest\n');
  registry.latest = '1.1.0';
  await outdated(home.context(), [], {});
  expect(home.out).toBe('files  npm files  1.0.0 → 1.1.0\n');
  void home.err;
  expect(await upgrade(home.context(), [], { dryRun: true })).toBe(0);
  expect(args()).toEqual(['-y', 'files@1.0.0', '/tmp']);
  const changes = 'files  1.0.0 → 1.1.0\n  + new\n  - old\n  ~ read: description\n';
  expect(home.err).toBe(changes);
  expect(await upgrade(home.context(), [], {})).toBe(0);
  expect(args()).toEqual(['-y', 'files@1.1.0', '/tmp']);
  expect(home.err).toBe(
    `${changes}Upgraded files in ${home.config}\nBack: mcpmux upgrade files --to 1.0.0\n`,
  );
  await upgrade(home.context(), ['files'], { to: '1.0.0' });
  expect(args()).toEqual(['-y', 'files@1.0.0', '/tmp']);
});

it('a version that does not start is not written', async () => {
  await add(home.context(), ['npm:files'], {});
  registry.latest = '2.0.0';
  void home.err;
  expect(await upgrade(home.context(), [], {})).toBe(4);
  expect(home.err).toContain('✖ the version does not start, and is not used: exited with code 1');
  expect(args()).toEqual(['-y', 'files@1.0.0']);
});

it('nothing is written without a yes', async () => {
  await add(home.context(), ['npm:files'], {});
  registry.latest = '1.1.0';
  await expect(upgrade(home.context({ yes: false }), [], {})).rejects.toMatchObject({
    failure: { code: 'REFUSED' },
  });
  expect(args()).toEqual(['-y', 'files@1.0.0']);
});

it('a server without a version is upgraded only if it is named', async () => {
  await add(home.context(), ['files', 'npx', '-y', 'files'], {});
  await outdated(home.context(), [], {});
  expect(home.out).toBe('files  npm files  no version: each start may run another; the newest is 1.0.0\n');
  await upgrade(home.context(), [], {});
  expect(args()).toEqual(['-y', 'files']);
  await upgrade(home.context(), ['files'], {});
  expect(args()).toEqual(['-y', 'files@1.0.0']);
});

it('the way back to a range leads back', async () => {
  await add(home.context(), ['files', 'npx', '-y', 'files@^1.0'], {});
  void home.err;
  await upgrade(home.context(), ['files'], {});
  expect(args()).toEqual(['-y', 'files@1.0.0']);
  expect(home.err).toContain("Back: mcpmux upgrade files --to '^1.0'\n");
  await upgrade(home.context(), ['files'], { to: '^1.0' });
  expect(args()).toEqual(['-y', 'files@^1.0']);
});

it('a version that cannot be looked up is reported with its reason', async () => {
  await add(home.context(), ['gone', 'npx', '-y', 'gone@1.0.0'], {});
  expect(await outdated(home.context({ json: true }), ['gone'], {})).toBe(4);
  expect(JSON.parse(home.out)).toEqual([
    {
      name: 'gone',
      status: 'unknown',
      kind: 'npm',
      package: 'gone',
      version: '1.0.0',
      problem: expect.stringContaining('npm says: Not Found'),
    },
  ]);
});

it.each([
  [['a', 'b'], '1.0.0', 'there is no server "a"'],
  [[], '1.0.0', '--to is for one server'],
  [['files'], '1.0.0 || 2', 'is no version'],
])('upgrade %j --to %s is refused', async (names, to, message) => {
  await add(home.context(), ['npm:files'], {});
  await expect(upgrade(home.context(), names, { to })).rejects.toThrow(message);
});
