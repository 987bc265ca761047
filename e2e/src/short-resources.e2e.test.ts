import { readdir, readFile } from 'node:fs/promises';
import process from 'node:process';

import { Lifeline } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const IS_LINUX = process.platform === 'linux';
const DEADLINE_MS = 10_000;

/** Of a server: stdin, stdout, stderr. */
const PIPES = 3;

async function descriptorsOf({ child }: RawCli): Promise<number> {
  return (await readdir(`/proc/${child.pid}/fd`)).length;
}

/** The servers that were added until one was refused. */
interface Added {
  readonly reason: string;
  readonly running: number;
  /** Of mcpmux, before the refusal: the pipes of a start that failed close a turn or more after it. */
  readonly descriptors: number;
}

/** Adds servers until one is refused. */
async function addUntilRefused(cli: RawCli): Promise<Added> {
  for (let running = 0; running < 40; running += 1) {
    const descriptors = await descriptorsOf(cli);
    const { result } = await cli.call('add_server', { name: `s${running}`, ...fixtureServer('faulty') });
    if (result?.['isError'] === true) return { reason: JSON.stringify(result), running, descriptors };
  }
  throw new Error('nothing was refused');
}

it.runIf(IS_LINUX)(
  'fault A14: without file descriptors one start fails, the servers that run go on, and room is used again',
  async () => {
    await using cli = new RawCli({ through: ['sh', '-c', 'ulimit -n 56; exec "$0" "$@"'] });
    await cli.initialize();
    const { reason, running, descriptors: full } = await addUntilRefused(cli);
    expect(reason).toMatch(/EMFILE|too many open files/i);
    expect(running).toBeGreaterThan(1);
    expect(textOf(await cli.call('s0__echo', { nonce: 'still here', n: 0 }))).toBe('still here');
    await cli.call('remove_server', { name: 's0' });
    // The answer comes when the processes are gone. Their pipes close a turn or more later too.
    await expect.poll(() => descriptorsOf(cli)).toBeLessThanOrEqual(full - PIPES);
    const again = await cli.call('add_server', { name: 'again', ...fixtureServer('faulty') });
    expect(again.result).not.toMatchObject({ isError: true });
  },
);

it.runIf(IS_LINUX && process.getuid?.() === 0)(
  'fault A13: without room for a process one start fails, and the rest goes on',
  async () => {
    await using lifeline = await Lifeline.open();
    await using cli = new RawCli({
      through: ['setpriv', '--reuid=61234', '--clear-groups', 'prlimit', '--nproc=34'],
      env: { LIFELINE: lifeline.address },
    });
    await cli.initialize();
    const { reason, running } = await addUntilRefused(cli);
    expect(reason).toMatch(/EAGAIN|exited|killed/);
    expect(running).toBeGreaterThan(0);
    expect(textOf(await cli.call('s0__echo', { nonce: 'still here', n: 0 }))).toBe('still here');
  },
);

it.runIf(IS_LINUX).each(['a full disk', 'nobody'])(
  'J1: a log that cannot be written, to %s, ends nothing',
  async (reader) => {
    const through = reader === 'nobody' ? [] : ['sh', '-c', 'exec "$0" "$@" 2>/dev/full'];
    await using cli = new RawCli({ through });
    if (reader === 'nobody') cli.child.stderr.destroy();
    await cli.initialize();
    await cli.call('add_server', { name: 'e', ...fixtureServer('echo') });
    expect(textOf(await cli.call('e__echo', { message: 'served' }))).toBe('served');
    cli.child.stdin.end();
    await expect(cli.ended).resolves.toEqual({ code: 0, signal: null });
  },
);

it.runIf(IS_LINUX)(
  'J2: 100 MB of answers at once fit into a heap of 64 MB, and 200 MB of memory',
  async () => {
    await using cli = new RawCli({ nodeFlags: ['--max-old-space-size=64'], args: ['--log-level', 'warn'] });
    await cli.initialize();
    await cli.call('add_server', { name: 'f', ...fixtureServer('faulty') });
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => cli.call('f__oversize', { nonce: 'a', n: 4_000_000 })),
    );
    for (const answer of answers) expect(textOf(answer)).toHaveLength(4_000_000);
    const status = await readFile(`/proc/${cli.child.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024).toBeLessThan(200);
  },
);

it.runIf(IS_LINUX)('J5: descriptors are as many as before when servers have come and gone', async () => {
  await using cli = new RawCli({ args: ['--log-level', 'warn'] });
  await cli.initialize();
  const descriptors = (): Promise<number> => descriptorsOf(cli);
  const cycle = async (name: string): Promise<void> => {
    await cli.call('add_server', { name, ...fixtureServer('faulty') });
    await cli.call(`${name}__echo`, { nonce: 'a', n: 0 });
    await cli.call('remove_server', { name });
  };
  await cycle('first');
  const before = await descriptors();
  for (let round = 0; round < 5; round += 1) await Promise.all(['a', 'b', 'c'].map(cycle));
  await cycle('last');
  expect(Math.abs((await descriptors()) - before)).toBeLessThanOrEqual(3);
});

// Windows has no signal by which a test could make mcpmux throw
it.skipIf(process.platform === 'win32')(
  'F7: an exception that nobody caught is told in the log, ends mcpmux with 70, and the servers with it',
  async () => {
    await using lifeline = await Lifeline.open();
    const defect = "process.on('SIGUSR2', () => { throw new Error('a defect'); })";
    await using cli = new RawCli({
      nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(defect)}`],
      env: { LIFELINE: lifeline.address },
      mayCrash: true,
    });
    await cli.initialize();
    await cli.call('add_server', { name: 'stubborn', ...fixtureServer('ignore-sigterm') });
    cli.child.kill('SIGUSR2');
    await expect(cli.ended).resolves.toEqual({ code: 70, signal: null });
    expect(cli.stderr).toContain('mcpmux: uncaughtException: Error: a defect');
    await expect(lifeline.waitForAllGone(DEADLINE_MS)).resolves.toBeUndefined();
  },
);
