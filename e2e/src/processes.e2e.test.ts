import process from 'node:process';

import { Lifeline } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';

/** More than enough for mcpmux, less than the fixtures would live on their own. */
const DEADLINE_MS = 10_000;

/** On Windows every signal of another process ends mcpmux at once, as SIGKILL does elsewhere. */
const HAS_SIGNALS = process.platform !== 'win32';

type Server = ReturnType<typeof fixtureServer>;

const LAUNCHER = `
const [command, ...args] = process.argv.slice(1);
const child = require('node:child_process').spawn(command, args, { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code));
`;

/** The server as the child of a program that waits for it, as `npx` and many launchers start theirs. */
function throughLauncher({ command, args }: Server): Server {
  return { command: process.execPath, args: ['-e', LAUNCHER, command, ...args] };
}

/** Every shape of tree, with the number of its processes that connect to the lifeline. */
const TREES: readonly (readonly [name: string, server: Server, size: number])[] = [
  ['plain', fixtureServer('tree'), 3],
  ['below-a-launcher', throughLauncher(fixtureServer('tree')), 3],
  ['own-session', fixtureServer('setsid-escapee'), 2],
  // Windows keeps no trace of a process whose parent, the server, has ended before the launcher.
  ...(HAS_SIGNALS
    ? [['own-session-below-a-launcher', throughLauncher(fixtureServer('setsid-escapee')), 2] as const]
    : []),
];
const TREE_SIZE = TREES.reduce((sum, [, , size]) => sum + size, 0);

/** mcpmux with servers whose processes are all up. */
async function withServers(
  lifeline: Lifeline,
  servers: readonly (readonly [name: string, server: Server, size: number])[],
): Promise<RawCli> {
  const cli = new RawCli({ args: ['--log-level', 'info'], env: { LIFELINE: lifeline.address } });
  await cli.initialize();
  await Promise.all(servers.map(([name, server]) => cli.call('add_server', { name, ...server })));
  await lifeline.waitForAlive(servers.reduce((sum, [, , size]) => sum + size, 0));
  return cli;
}

function ofEach(tool: (name: string) => string, args: (name: string) => object) {
  return (cli: RawCli): Promise<unknown> =>
    Promise.all(TREES.map(([name]) => cli.call(tool(name), args(name))));
}

const ENDS: readonly (readonly [string, (cli: RawCli) => unknown])[] = [
  [
    'remove_server',
    ofEach(
      () => 'remove_server',
      (name) => ({ name }),
    ),
  ],
  [
    'the exit of the server',
    ofEach(
      (name) => `${name}__exit`,
      () => ({}),
    ),
  ],
  ['the end of stdin', (cli) => cli.child.stdin.end()],
  ...(['SIGTERM', 'SIGINT'] as const)
    .filter(() => HAS_SIGNALS)
    .map((signal): (typeof ENDS)[number] => [signal, (cli) => cli.child.kill(signal)]),
  ['SIGKILL', (cli) => cli.child.kill('SIGKILL')],
];

it.each(ENDS)(
  'M7, fault A18, F1, F4: of servers with processes of their own nothing is left after %s',
  async (_, end) => {
    await using lifeline = await Lifeline.open();
    await using cli = await withServers(lifeline, TREES);
    await end(cli);
    await expect(lifeline.waitForAllGone(DEADLINE_MS)).resolves.toBeUndefined();
  },
);

it('M3, fault A18, F1: of servers with processes of their own nothing of the former run is left after reload_server', async () => {
  await using lifeline = await Lifeline.open();
  await using cli = await withServers(lifeline, TREES);
  const former = lifeline.alive;
  await Promise.all(TREES.map(([name]) => cli.call('reload_server', { name })));
  await Promise.all(former.map(({ pid }) => lifeline.waitForGone(pid, DEADLINE_MS)));
  const now = await lifeline.waitForAlive(TREE_SIZE);
  expect(now).toHaveLength(TREE_SIZE);
  expect(now.filter(({ pid }) => former.some((life) => life.pid === pid))).toEqual([]);
});

const ORDERLY: readonly (readonly [string, number, (cli: RawCli) => unknown])[] = [
  ['SIGTERM', 143, (cli) => cli.child.kill('SIGTERM')],
  ['SIGINT', 130, (cli) => cli.child.kill('SIGINT')],
  ['SIGHUP', 129, (cli) => cli.child.kill('SIGHUP')],
];

it.concurrent.each([
  ['the end of stdin', 0, (cli: RawCli) => cli.child.stdin.end()] as const,
  ...ORDERLY.filter(() => HAS_SIGNALS),
])(
  'F2, F8, F9: after %s mcpmux exits with %i though a server ignores SIGTERM, and no process is left',
  async (_, code, end) => {
    await using lifeline = await Lifeline.open();
    await using cli = await withServers(lifeline, [['stubborn', fixtureServer('ignore-sigterm'), 1]]);
    const start = performance.now();
    end(cli);
    await expect(cli.ended).resolves.toEqual({ code, signal: null });
    // 2.5 s of its own clock, as the stop ladder's tests say; here four of them share a machine with other tests
    expect(performance.now() - start).toBeLessThan(10_000);
    await expect(lifeline.waitForAllGone(DEADLINE_MS)).resolves.toBeUndefined();
  },
);

it.runIf(HAS_SIGNALS)(
  'F9: a second signal ends mcpmux at once, and the server that ignores SIGTERM goes with it',
  async () => {
    await using lifeline = await Lifeline.open();
    await using cli = await withServers(lifeline, [['stubborn', fixtureServer('ignore-sigterm'), 1]]);
    cli.child.kill('SIGTERM');
    await cli.until(() => (cli.stderr.includes('stdin has ended, going on') ? true : undefined));
    cli.child.kill('SIGINT');
    // of the second signal: the orderly end would have the code of the first
    await expect(cli.ended).resolves.toEqual({ code: 130, signal: null });
    await expect(lifeline.waitForAllGone(DEADLINE_MS)).resolves.toBeUndefined();
  },
);

it.runIf(HAS_SIGNALS)('F11: SIGUSR1 opens no debugger port', async () => {
  await using cli = new RawCli();
  await cli.initialize();
  cli.child.kill('SIGUSR1');
  await cli.call('list_servers');
  cli.child.stdin.end();
  await expect(cli.ended).resolves.toEqual({ code: 0, signal: null });
  expect(cli.stderr).not.toContain('Debugger');
});
