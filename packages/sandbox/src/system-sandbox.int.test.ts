import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { hasBubblewrap } from '@mcpmux/testing/bubblewrap';
import { afterAll, describe, expect, it } from 'vitest';

import { RuntimeEngine } from './runtime-engine.js';
import type { SandboxedProgram } from './sandbox.js';
import { SandboxError } from './sights.js';
import { SystemSandbox, systemDisk } from './system-sandbox.js';
import { hereSandbox } from './testing/here-sandbox.js';

const run = promisify(execFile);
const root = realpathSync(
  mkdtempSync(join(fileURLToPath(new URL('..', import.meta.url)), 'node_modules', '.sandbox-')),
);
const home = join(root, 'home');
const cwd = join(root, 'work');
for (const folder of [home, cwd]) mkdirSync(folder);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const program = (command: string, ...args: readonly string[]): SandboxedProgram => ({
  command,
  args,
  env: { PATH: process.env['PATH'] },
  cwd,
});
const places = { home, cwd, caches: join(home, 'caches'), secrets: () => [] };
const components = (run_: () => Promise<string | undefined>, platform: NodeJS.Platform = 'linux') => ({
  system: { platform, exists: () => true, run: run_ },
  disk: systemDisk,
  makeFolder: () => undefined,
  runtime: () => undefined,
});

it('only the same program with the same environment and working directory has the same caches', async () => {
  const sandbox = new SystemSandbox(
    places,
    components(() => Promise.resolve(undefined)),
  );
  const cacheOf = async (changes: Partial<SandboxedProgram> = {}): Promise<string | undefined> => {
    const { program: started } = await sandbox.confine({ ...program('npx', '-y', 'notes'), ...changes }, {});
    return JSON.stringify(started).match(/[^"]*\/npm(?=")/)?.[0];
  };
  const own = await cacheOf();
  expect(own).toContain(places.caches);
  const { env } = program('npx');
  await expect(cacheOf({ env: { ...env, MCPMUX_CHILD: 'x:2', TERM: 'dumb' } })).resolves.toBe(own);
  await expect(cacheOf({ env: { ...env, NODE_OPTIONS: '--require ./x.js' } })).resolves.not.toBe(own);
  await expect(cacheOf({ cwd: home })).resolves.not.toBe(own);
});

describe('a system that cannot confine', () => {
  it('starts nothing: the error has the reason, and what to do', async () => {
    const sandbox = new SystemSandbox(
      places,
      components(async () => 'bwrap: No permissions'),
    );
    const confined = sandbox.confine(program('node'), {});
    await expect(confined).rejects.toThrow(SandboxError);
    await expect(confined).rejects.toThrow(
      'this system cannot confine it: /usr/bin/bwrap does not run here: bwrap: No permissions',
    );
  });

  it('is tested once', async () => {
    let tests = 0;
    const sandbox = new SystemSandbox(
      places,
      components(async () => void (tests += 1)),
    );
    await Promise.all([sandbox.confine(program('node'), {}), sandbox.confine(program('node'), {})]);
    expect(tests).toBe(1);
  });

  it('filters no domains without the runtime, and says what to install', async () => {
    const sandbox = new SystemSandbox(
      places,
      components(async () => undefined),
    );
    const settings = { network: { allowedDomains: ['a.com'] } };
    await expect(sandbox.confine(program('node'), settings)).rejects.toThrow(
      'npm install --global @anthropic-ai/sandbox-runtime',
    );
  });
});

describe('engines', () => {
  it('macOS gets a profile, and a process that is the server itself', async () => {
    const sandbox = new SystemSandbox(
      places,
      components(async () => undefined, 'darwin'),
    );
    const confined = await sandbox.confine(program('node', 'x.js'), { network: true });
    expect(confined).toMatchObject({ by: 'sandbox-exec', isWatched: false });
    expect(confined.program.command).toBe('/usr/bin/sandbox-exec');
    expect(confined.program.args.slice(-3)).toEqual(['--', 'node', 'x.js']);
    expect(confined.program.args[1]).toContain(`(allow file-read* file-write* (subpath "${cwd}"))`);
  });

  it('a list of domains is for the runtime, with settings in a file that the server cannot write', async () => {
    mkdirSync(places.caches, { recursive: true });
    const sandbox = new SystemSandbox(places, {
      ...components(async () => undefined),
      runtime: () => new RuntimeEngine('/lib/srt/cli.js'),
    });
    const settings = { network: { allowedDomains: ['a.com'] } };
    const confined = await sandbox.confine(
      { ...program('node', 'x.js'), env: { NODE_OPTIONS: '-r /x' } },
      settings,
    );
    expect(confined.by).toBe('sandbox-runtime');
    expect(confined.program.command).toBe(process.execPath);
    expect(confined.program.args.slice(0, 2)).toEqual(['/lib/srt/cli.js', '--settings']);
    expect(confined.program.env['NODE_OPTIONS']).toBeUndefined();
    expect(readdirSync(places.caches).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });

  it('a start within another sandbox of a client does not change the settings of a start before it', async () => {
    const sandbox = new SystemSandbox(places, {
      ...components(async () => undefined),
      runtime: () => new RuntimeEngine('/lib/srt/cli.js'),
    });
    const settings = { network: { allowedDomains: ['a.com'] } };
    const writableWithin = async (access: 'read' | 'write') => {
      const policy = { network: true, access: new Map([['/', access]]) };
      const { program: started } = await sandbox.confine(program('node', 'x.js'), settings, policy);
      return () => String(readFileSync(String(started.args[2])));
    };
    const strict = await writableWithin('read');
    const before = strict();
    const wide = await writableWithin('write');
    expect(strict()).toBe(before);
    expect(wide()).not.toBe(before);
  });
});

describe.skipIf(!hasBubblewrap)('with bubblewrap', () => {
  const sandbox = hereSandbox({ home, cwd, secrets: () => [] });

  it('within the sandbox of a client, a program has no more than the client', async () => {
    mkdirSync(join(cwd, 'mine'), { recursive: true });
    const access = new Map([
      ['/', 'read'],
      [join(cwd, 'mine'), 'write'],
    ] as const);
    const script = 'echo x > of-folder; echo x > mine/of-client; echo x > "$TMPDIR/of-server" && echo ok';
    const { program: started, explain } = await sandbox.confine(
      program('/bin/sh', '-c', script),
      { network: true },
      { network: false, access },
    );
    const { stdout, stderr } = await run(started.command, [...started.args], started);
    expect(stdout).toBe('ok\n');
    expect(existsSync(join(cwd, 'of-folder'))).toBe(false);
    expect(existsSync(join(cwd, 'mine', 'of-client'))).toBe(true);
    expect(started.args).toContain('--unshare-net');
    expect(explain([`sh: ${join(cwd, 'of-folder')}: Read-only file system ${stderr}`])).toContain(
      'It follows the sandbox of its client',
    );
  });

  it('a program writes into its working directory, and has temporary files of its own', async () => {
    const other = mkdtempSync(join(tmpdir(), 'of-another-'));
    const script = `echo x > a; echo $TMPDIR; ls ${other}`;
    const { program: started } = await sandbox.confine(
      program('/bin/sh', '-c', `${script} || echo hidden`),
      {},
    );
    const { stdout } = await run(started.command, started.args, { env: started.env, cwd });
    expect(stdout).toBe('/tmp\nhidden\n');
    rmSync(other, { recursive: true });
    expect(existsSync(join(cwd, 'a'))).toBe(true);
  });

  it('two servers have two caches, and the same server the same at each start', async () => {
    const cacheOf = async (...args: readonly string[]) =>
      (await sandbox.confine(program('node', ...args), {})).program.env['npm_config_cache'];
    expect(await cacheOf('a.js')).toBe(await cacheOf('a.js'));
    expect(await cacheOf('a.js')).not.toBe(await cacheOf('b.js'));
  });

  it('a variable of the loader takes effect inside alone', async () => {
    const library = join(cwd, 'none.so');
    const { program: started } = await sandbox.confine(
      { ...program('/bin/sh', '-c', 'echo $LD_PRELOAD'), env: { LD_PRELOAD: library } },
      {},
    );
    expect(started.env['LD_PRELOAD']).toBeUndefined();
    const { stdout, stderr } = await run(started.command, started.args, { env: started.env, cwd });
    expect(stdout).toBe(`${library}\n`);
    // The loader warns once in the shell, and not in bubblewrap.
    expect(stderr.match(/cannot be preloaded/g)).toHaveLength(1);
  });

  it('a folder that a server has replaced by a link is not opened at the next start', async () => {
    const out = join(cwd, 'out');
    mkdirSync(out);
    const settings = { filesystem: { allowWrite: ['./out'] } };
    await sandbox.confine(program('node'), settings);
    rmSync(out, { recursive: true });
    symlinkSync(home, out);
    await expect(sandbox.confine(program('node'), settings)).rejects.toThrow(`Write ${home} itself`);
  });

  it('shows no secret to a program that may not write it', async () => {
    writeFileSync(join(home, '.pgpass'), 'x');
    const denied = { filesystem: { denyWrite: [home, join(home, '.pgpass')] } };
    const { program: started } = await sandbox.confine(program('/bin/cat', join(home, '.pgpass')), denied);
    await expect(run(started.command, started.args, { env: started.env, cwd })).rejects.toThrow(
      'Permission denied',
    );
  });

  it('names in a failure what was refused', async () => {
    writeFileSync(join(home, '.netrc'), 'x');
    const confined = await sandbox.confine(program('/bin/cat', join(home, '.netrc')), {});
    const { program: started, explain } = confined;
    const { stderr } = await run(started.command, started.args, { env: started.env, cwd }).catch(
      (error: unknown) => error as { stderr: string },
    );
    expect(explain(stderr.split('\n'))).toBe(
      `Its sandbox refused to read ${join(home, '.netrc')}, according to its stderr. No line is offered for places ` +
        `with secrets: ${join(home, '.netrc')}.`,
    );
  });
});

describe.runIf(process.platform === 'darwin')('with sandbox-exec', () => {
  const sandbox = hereSandbox({ home, cwd, secrets: () => [] });
  const outcome = async (script: string, settings = {}): Promise<string> => {
    const { program: started } = await sandbox.confine(program('/bin/sh', '-c', script), settings);
    return run(started.command, started.args, { env: started.env, cwd }).then(
      ({ stdout }) => stdout,
      () => 'refused',
    );
  };

  it('a program writes into its working directory and nowhere else', async () => {
    await expect(outcome('echo x > a && cat a')).resolves.toBe('x\n');
    await expect(outcome(`echo x > ${join(home, 'a')}`)).resolves.toBe('refused');
  });

  it('a program has no network, unless its settings allow it', async () => {
    const resolve = `${process.execPath} -e "require('net').connect(9, '127.0.0.1').on('error', (e) => console.log(e.code))"`;
    await expect(outcome(resolve)).resolves.toBe('EPERM\n');
    await expect(outcome(resolve, { network: true })).resolves.toBe('ECONNREFUSED\n');
  });
});
