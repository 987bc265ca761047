import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { hasBubblewrap } from '@mcpmux/testing/bubblewrap';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SandboxSettings } from './settings.js';
import { hereSandbox } from './testing/here-sandbox.js';

const run = promisify(execFile);
const LIMIT_MS = 30_000;
const SCRIPT = fileURLToPath(new URL('testing/escapes.mjs', import.meta.url));
/** Not below the folder for temporary files: that is hidden as a whole. */
const root = realpathSync(
  mkdtempSync(join(fileURLToPath(new URL('..', import.meta.url)), 'node_modules', '.escapes-')),
);
const home = join(root, 'home');
const cwd = join(root, 'work');
const outside = join(root, 'outside');
const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'escapes-')));
const abstract = `mcpmux-escapes-${process.pid}`;
const SECRETS = [
  ['.ssh/id_ed25519', '.aws/credentials', '.local/share/keyrings/login.keyring', '.gnupg/private', '.npmrc'],
  [
    '.bash_history',
    '.local/state/mcpmux/logins.json',
    '.local/state/mcpmux/sandbox/other/npm/x',
    '.cursor/mcp.json',
  ],
].flat();
const SOCKETS = {
  'the engine of containers': join(home, '.docker/run/docker.sock'),
  'the agent of ssh': join(home, '.ssh/agent.sock'),
  'the bus of the session': join(temporary, 'bus'),
  'mcpmux itself': join(home, '.local/state/mcpmux/1.sock'),
};
const servers: Server[] = [];

async function listen(where: string | number): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  await new Promise<void>((resolve) => {
    if (typeof where === 'string') server.listen(where, resolve);
    else server.listen(where, '0.0.0.0', resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function write(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
}

const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

/** A process outside that attempts may stop. */
const other = spawn('sleep', ['600'], { stdio: 'ignore' });
/** Attempts without effects outside of the test, which need no rights. */
const HARMLESS = [
  'create a file in the home folder',
  'append to a file outside',
  'move a file outside',
  'write a hook of git',
  'move .git away, with what is protected in it',
  'read a key of ssh',
  'read the state of mcpmux',
  'read the environment of another process',
  'signal another process',
  'connect to the engine of containers',
  'connect to an abstract socket',
  'gain rights by exec',
  'connect to this computer by IP',
  'share memory with others',
  'read temporary files of others',
];
let targets: object = {};

beforeAll(async () => {
  for (const path of SECRETS) write(join(home, path));
  for (const path of ['file', 'deleted']) write(join(outside, path));
  for (const path of ['.git/hooks/old', '.git/config', '.vscode/settings.json']) write(join(cwd, path));
  for (const path of Object.values(SOCKETS)) mkdirSync(dirname(path), { recursive: true });
  for (const path of Object.values(SOCKETS)) await listen(path);
  await listen(`\0${abstract}`);
  write(join(temporary, 'file'));
  write(`/dev/shm/${abstract}`);
  const port = await listen(0);
  targets = {
    home,
    outside,
    port,
    address: address ?? '127.0.0.1',
    pid: other.pid,
    shared: temporary,
    abstract,
    sockets: SOCKETS,
  };
});

afterAll(() => {
  other.kill('SIGKILL');
  for (const server of servers) server.close();
  for (const path of [root, temporary, `/dev/shm/${abstract}`])
    rmSync(path, { recursive: true, force: true });
});

type Results = Readonly<Record<string, string>>;

/** The repository may lie in the folder for temporary files, which is hidden. */
const filesystem = { allowRead: [realpathSync(fileURLToPath(new URL('../../..', import.meta.url)))] };

async function attempts(settings: SandboxSettings): Promise<Results> {
  const sandbox = hereSandbox({
    home,
    cwd,
    secrets: () => [join(home, '.local/state/mcpmux'), join(home, '.cursor/mcp.json')],
  });
  const program = {
    command: process.execPath,
    args: [SCRIPT, JSON.stringify(targets)],
    env: { PATH: process.env['PATH'] },
    cwd,
  };
  const { program: confined } = await sandbox.confine(program, { ...settings, filesystem });
  const { stdout } = await run(confined.command, confined.args, {
    env: confined.env,
    cwd: confined.cwd,
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  return JSON.parse(stdout) as Results;
}

describe.skipIf(!hasBubblewrap)('a confined program', () => {
  it('gets nowhere by any of the attempts', async () => {
    const results = await attempts({});
    expect(Object.keys(results).length).toBeGreaterThanOrEqual(40);
    expect(Object.entries(results).filter(([, result]) => result === 'escaped')).toEqual([]);
  });

  it('reaches the network where its settings allow it, and no socket of a program', async () => {
    const results = await attempts({ network: true });
    const escaped = Object.entries(results).flatMap(([name, result]) => (result === 'escaped' ? [name] : []));
    expect(escaped).toContain('connect to this computer by IP');
    expect(escaped.filter((name) => !/IP|address|datagram|name|abstract/.test(name))).toEqual([]);
  });
});

it('without a sandbox the attempts succeed, so that the test can fail', async () => {
  const args = [SCRIPT, JSON.stringify({ ...targets, only: HARMLESS })];
  const { stdout } = await run(process.execPath, args, { cwd, timeout: LIMIT_MS });
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(HARMLESS.map((name) => [name, 'escaped'])));
});
