import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { NODE } from './testing/built-cli.js';
import { commandOutput } from './testing/command-output.js';
import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { serversOf, SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

const WAIT = { timeout: 10_000 };
const FOR_ALL = { mux: { shared: true } };
const echoForAll = { ...fixtureServer('echo'), ...FOR_ALL };
/** The starts at once that are tried: 1,000 for a proof, a few for each run of the tests. */
const ROUNDS = Number(process.env['SHARED_ROUNDS'] ?? 3);

describe('windows with --shared', () => {
  it('A13: share one process and one run of each server, and get the answers to their own requests alone', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await using shared = await SharedWindows.open(
      Object.fromEntries(names.map((name) => [name, echoForAll])),
    );
    const windows = await Promise.all(Array.from({ length: 10 }, () => shared.window()));
    for (const name of names)
      await Promise.all(windows.map((window) => untilListed(window, `${name}__echo`)));
    const answers = windows.flatMap((window, at) =>
      Array.from({ length: 40 }, async (_, n) => {
        const message = `window ${at}, message ${n}`;
        const name = `${names[n % names.length]}__echo`;
        const params = { name, arguments: { message } };
        // Every window uses the same ids.
        return textOf(await window.request('tools/call', params, 1000 + n)) === message;
      }),
    );
    expect(await Promise.all(answers)).not.toContain(false);
    for (const window of windows) {
      const ids = window.messages.map(({ id }) => id).filter((id) => typeof id === 'number' && id >= 1000);
      expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 40 }, (_, n) => 1000 + n),
      );
    }
    expect(await shared.processes()).toHaveLength(1);
    const seen = (await Promise.all(windows.map(serversOf))).flat();
    expect(new Set(seen.map(({ pid }) => pid)).size).toBe(names.length);
    expect(new Set(seen.map(({ scope, windows: count }) => `${scope} ${count}`))).toEqual(
      new Set(['all 10']),
    );
    await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
  });

  it('A13: have a run for each folder of servers that run in the folder of their window', async () => {
    await using shared = await SharedWindows.open({ here: fixtureServer('env-dump') });
    const folders = ['one', 'two'].map((name) => join(shared.folder, name));
    for (const folder of folders) await mkdir(folder);
    const [one = '', two = ''] = folders;
    await using first = await shared.window({ cwd: one });
    await using second = await shared.window({ cwd: one });
    await using other = await shared.window({ cwd: two });
    const pids: (number | undefined)[] = [];
    for (const window of [first, second, other]) {
      await untilListed(window, 'here__env');
      pids.push((await serversOf(window))[0]?.pid);
      const { cwd } = JSON.parse(textOf(await window.call('here__env'))) as { readonly cwd: string };
      expect(cwd).toBe(window === other ? two : one);
    }
    expect(pids[0]).toBe(pids[1]);
    expect(pids[0]).not.toBe(pids[2]);
    expect(await serversOf(first)).toMatchObject([{ scope: 'folder', windows: 2 }]);
    expect(await shared.processes()).toHaveLength(1);
  });

  it('A13: have a run each of a server that is not to be shared', async () => {
    await using shared = await SharedWindows.open({
      own: { ...fixtureServer('echo'), mux: { shared: false } },
    });
    await using one = await shared.window();
    await using two = await shared.window();
    const pids: (number | undefined)[] = [];
    for (const window of [one, two]) {
      await untilListed(window, 'own__echo');
      await window.call('own__echo', { message: 'x' });
      const [server] = await serversOf(window);
      expect(server).toMatchObject({ scope: 'window', windows: 1 });
      pids.push(server?.pid);
    }
    expect(pids[0]).not.toBe(pids[1]);
  });

  it('A13: add servers for themselves, in their own folder, unless they say that these are for all', async () => {
    await using shared = await SharedWindows.open();
    await using one = await shared.window();
    await using two = await shared.window();
    await one.call('add_server', { name: 'mine', ...fixtureServer('env-dump') });
    await one.call('add_server', { name: 'ours', ...fixtureServer('echo'), scope: 'all' });
    expect((await serversOf(one)).map(({ name, scope }) => [name, scope])).toEqual([
      ['ours', 'all'],
      ['mine', 'window'],
    ]);
    expect((await serversOf(two)).map(({ name }) => name)).toEqual(['ours']);
    expect(JSON.parse(textOf(await one.call('mine__env')))).toMatchObject({ cwd: shared.folder });
    expect((await two.call('mine__env')).error?.message).toContain('mine__env');
    expect(textOf(await two.call('ours__echo', { message: 'hi' }))).toBe('hi');
  });

  it('A13: answer what their own servers ask, and see no progress of others', async () => {
    await using shared = await SharedWindows.open({
      asks: { ...fixtureServer('interactive'), ...FOR_ALL },
      counts: { ...fixtureServer('progress'), ...FOR_ALL },
    });
    const windows = await Promise.all([shared.window(), shared.window()]);
    const reported = windows.map(async (window, at) => {
      await untilListed(window, 'asks__ask');
      await untilListed(window, 'counts__count');
      const asked = window.call('asks__ask', { method: 'ping', params: {} });
      const n = at + 2;
      await window.request('tools/call', {
        name: 'counts__count',
        arguments: { n },
        _meta: { progressToken: 1 },
      });
      await asked;
      return window.messages.filter(({ method }) => method === 'notifications/progress').length;
    });
    expect(await Promise.all(reported)).toEqual([2, 3]);
    await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
  });

  it('A13: share no process if their environments differ, but for what concerns the window alone', async () => {
    await using shared = await SharedWindows.open({ e: { ...fixtureServer('env-dump'), ...FOR_ALL } });
    await using one = await shared.window({ env: { TOKEN: '1', WINDOWID: '1', VSCODE_PID: '1' } });
    await using same = await shared.window({ env: { TOKEN: '1', WINDOWID: '2', VSCODE_PID: '2' } });
    await using other = await shared.window({ env: { TOKEN: '2' } });
    expect(await shared.processes()).toHaveLength(2);
    for (const [window, token] of [
      [one, '1'],
      [same, '1'],
      [other, '2'],
    ] as const) {
      await untilListed(window, 'e__env');
      const { env } = JSON.parse(textOf(await window.call('e__env'))) as { readonly env: NodeJS.ProcessEnv };
      expect([env['TOKEN'], env['WINDOWID'], env['VSCODE_PID']]).toEqual([token, undefined, undefined]);
    }
  });
});

describe('the end of a shared process', () => {
  it('A13: by SIGKILL: each open request is answered once, no server is left, and the next process goes on', async () => {
    await using shared = await SharedWindows.open({ held: { ...fixtureServer('hold-calls'), ...FOR_ALL } });
    const windows = await Promise.all([shared.window(), shared.window()]);
    await Promise.all(windows.map((window) => untilListed(window, 'held__hold')));
    const held = windows.map((window) => {
      const params = { name: 'held__hold', arguments: { key: 'k' } };
      return Promise.all([50, 51, 52].map((id) => window.request('tools/call', params, id)));
    });
    // Calls are sent in order: an answered one tells that those before it are in flight.
    await Promise.all(windows.map(serversOf));
    const [pid = 0] = await shared.processes();
    const [server] = await shared.lifeline.waitForAlive(1);
    process.kill(pid, 'SIGKILL');
    for (const answers of await Promise.all(held))
      for (const { error } of answers) expect(error?.message).toContain('shared mcpmux process ended');
    await Promise.all(windows.map((window) => untilListed(window, 'held__hold')));
    expect(await shared.processes()).not.toContain(pid);
    expect(await shared.processes()).toHaveLength(1);
    await expect.poll(() => shared.lifeline.alive.map((life) => life.pid)).not.toContain(server?.pid);
    for (const window of windows) {
      for (const id of [50, 51, 52])
        expect(window.messages.filter((message) => message.id === id)).toHaveLength(1);
      // The client has asked for one handshake only.
      expect(window.messages.filter(({ result }) => result?.['serverInfo'] !== undefined)).toHaveLength(1);
      expect(window.messages.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(true);
    }
    await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
  });

  it('without windows, after a while', async () => {
    await using shared = await SharedWindows.open();
    const window = await shared.window({ args: ['--shared-idle', '0.2'] });
    expect(await shared.processes()).toHaveLength(1);
    await window[Symbol.asyncDispose]();
    await expect.poll(() => shared.processes(), { timeout: 10_000 }).toEqual([]);
  });
});

describe('the start of a shared process', () => {
  it(`is one for ten windows at once (${ROUNDS} rounds)`, { timeout: ROUNDS * 20_000 }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await using shared = await SharedWindows.open();
      const windows = await Promise.all(Array.from({ length: 10 }, () => shared.window()));
      expect(await shared.processes()).toHaveLength(1);
      await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
    }
  });

  it('that fails says why, with its exit code', async () => {
    await using shared = await SharedWindows.open();
    await writeFile(join(shared.folder, 'config.json'), '{"mcpServers": 7}');
    const window = shared.start();
    expect(await window.ended).toEqual({ code: 2, signal: null });
    expect(window.stderr).toContain('config.json');
    expect(window.stderr).toContain('expected an object of servers');
    expect(window.lines).toEqual([]);
  });

  it('does not use a socket that is a symbolic link, or a folder that others can enter', async () => {
    await using shared = await SharedWindows.open();
    const socket = await freedSocket(shared);
    await symlink('/tmp/elsewhere.sock', socket);
    const planted = shared.start();
    expect((await planted.ended).code).toBe(1);
    expect(planted.stderr).toContain(`${socket} is a symbolic link`);
    const open = join(shared.folder, 'open');
    await mkdir(open, { mode: 0o755 });
    const exposed = shared.start({ env: { MCPMUX_RUNTIME_DIR: open } });
    expect((await exposed.ended).code).toBe(1);
    expect(exposed.stderr).toContain('not a folder for this user alone');
  });
});

describe('the commands about shared processes', () => {
  it('tell of the windows; a window waits after a stop, and goes on at once after a restart', async () => {
    await using shared = await SharedWindows.open({ e: echoForAll });
    await using window = await shared.window();
    const ran = async (...args: readonly string[]): Promise<unknown> => {
      return JSON.parse(await commandOutput(args, shared.environment));
    };
    const [pid] = await shared.processes();
    expect(await ran('status', '--json')).toMatchObject([
      { pid, shared: true, windows: [{ pid: window.child.pid, cwd: shared.folder }] },
    ]);
    expect(await ran('restart', '--json')).toEqual([{ pid, windows: 1 }]);
    await expect.poll(() => shared.processes(), WAIT).not.toContain(pid);
    await expect.poll(() => shared.processes(), WAIT).toHaveLength(1);
    await untilListed(window, 'e__echo');
    expect(await ran('stop', '--json')).toMatchObject([{ windows: 1 }]);
    await expect.poll(() => shared.processes(), WAIT).toEqual([]);
    expect(await ran('status', '--json')).toEqual([]);
    await untilListed(window, 'e__echo');
    expect(await shared.processes()).toHaveLength(1);
  });

  it('list and call find the servers of the folder that they run in', async () => {
    await using shared = await SharedWindows.open({ here: fixtureServer('env-dump') });
    await using window = await shared.window();
    await untilListed(window, 'here__env');
    const { environment: env, folder } = shared;
    const config = ['--config', join(folder, 'config.json'), '--json', '-C', folder];
    const listed: unknown = JSON.parse(await commandOutput(['list', ...config], env));
    const [pid] = await shared.processes();
    expect(listed).toMatchObject({ instance: pid, servers: [{ name: 'here', status: 'running' }] });
    expect(await commandOutput(['call', 'here.env', ...config], env)).toContain(folder);
  });
});

it('"mux": {"shared": true} in the config is --shared', async () => {
  await using shared = await SharedWindows.open();
  const config = join(shared.folder, 'config.json');
  await writeFile(config, JSON.stringify({ mux: { shared: true }, mcpServers: { e: echoForAll } }));
  const env = { ...shared.environment, MCPMUX_CONFIG: config };
  const windows = [new RawCli({ args: [], env }), new RawCli({ args: [], env })];
  for (const window of windows) {
    await window.initialize();
    await untilListed(window, 'e__echo');
  }
  expect(await shared.processes()).toHaveLength(1);
  await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
});

/** A folder that every user can enter, with those above it, until it is disposed of. */
async function entered(folder: string): Promise<AsyncDisposable> {
  const closed: (readonly [folder: string, mode: number])[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const { mode } = await stat(at);
    if ((mode & 0o001) === 0) closed.push([at, mode]);
  }
  for (const [at, mode] of closed) await chmod(at, mode | 0o001);
  const close = async (): Promise<void> => {
    for (const [at, mode] of closed) await chmod(at, mode);
  };
  return { [Symbol.asyncDispose]: close };
}

it.runIf(process.getuid?.() === 0)('A13: another user cannot connect', async () => {
  await using shared = await SharedWindows.open();
  await using _ = await entered(dirname(shared.folder));
  await using window = await shared.window();
  expect(window.messages).toHaveLength(1);
  const script = `require('net').connect(${JSON.stringify(await socketOf(shared))})
    .on('connect', function () { console.log('connected'); this.destroy() }).on('error', ({ code }) => console.log(code))`;
  const connected = async (): Promise<string> => {
    const { stdout } = await promisify(execFile)(NODE, ['-e', script], {
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
    });
    return stdout;
  };
  expect(await connected()).toBe('EACCES\n');
  for (const folder of [shared.folder, shared.runFolder]) await chmod(folder, 0o755);
  expect(await connected()).toBe('EACCES\n');
  await chmod(await socketOf(shared), 0o666);
  expect(await connected()).toBe('connected\n');
});

it.runIf(process.getuid?.() === 0)('A13: a socket of another user is not used', async () => {
  await using shared = await SharedWindows.open();
  const socket = await freedSocket(shared);
  const reached: unknown[] = [];
  const planted = createServer((connection) => reached.push(connection));
  planted.listen(socket);
  await once(planted, 'listening');
  await chown(socket, 65_534, 65_534);
  const window = shared.start();
  expect((await window.ended).code).toBe(1);
  expect(window.stderr).toContain(`${socket} is no socket of this user`);
  expect(reached).toEqual([]);
  planted.close();
});

/** The path of a socket that a shared process has used, and left when it ended. */
async function freedSocket(shared: SharedWindows): Promise<string> {
  await using probe = await shared.window();
  const [pid = 0] = await shared.processes();
  const socket = await socketOf(shared);
  await probe[Symbol.asyncDispose]();
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => readdir(shared.runFolder), WAIT).toEqual([]);
  return socket;
}

async function socketOf(shared: SharedWindows): Promise<string> {
  const name = (await readdir(shared.runFolder)).find((file) => file.endsWith('.sock')) ?? '';
  return join(shared.runFolder, name);
}
