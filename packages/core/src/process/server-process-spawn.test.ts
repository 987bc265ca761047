import type { ChildProcessWithoutNullStreams } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { fakeChild } from '../testing/fake-child.js';
import { Semaphore } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { RecordingGuard } from '../testing/recording-guard.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { MAX_CONCURRENT_SPAWNS, ServerProcess, spawnOptions, type SpawnProcess } from './server-process.js';

const REFUSED = Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' });

/** What Node.js gives back when file descriptors or processes run out: no process, and an error that follows. */
function stillborn(streams: object = {}): ChildProcessWithoutNullStreams {
  const child = Object.assign(fakeChild(), streams);
  process.nextTick(() => child.emit('error', REFUSED));
  return child;
}

async function start(
  spawn: SpawnProcess,
): Promise<{ outcome: unknown; guard: RecordingGuard; clock: ManualClock }> {
  const guard = new RecordingGuard();
  const clock = new ManualClock();
  const outcome: unknown = await ServerProcess.start(
    { command: 'my-server', args: [], env: {} },
    { clock, guard, spawn, marker: 'instance:1', onStderrLine: () => undefined, onExit: () => undefined },
  ).catch((error: unknown) => error);
  return { outcome, guard, clock };
}

it('four processes may be started at once', async () => {
  const spawns = new Semaphore(MAX_CONCURRENT_SPAWNS);
  let entered = 0;
  for (let index = 0; index < 10; index += 1) void spawns.acquire().then(() => (entered += 1));
  await nextTurn();
  expect(entered).toBe(4);
  expect(MAX_CONCURRENT_SPAWNS).toBe(4);
});

describe('a spawn that the operating system refuses', () => {
  it.each<[string, SpawnProcess]>([
    [
      'by an exception',
      () => {
        throw REFUSED;
      },
    ],
    ['by a child without a process id', () => stillborn()],
    [
      'by a child without streams',
      () => stillborn({ stdin: undefined, stdout: undefined, stderr: undefined }),
    ],
  ])('fault A13, fault A14: is an error with its code and the command, told %s', async (_, spawn) => {
    const { outcome, guard, clock } = await start(spawn);
    expect(outcome).toMatchObject({
      name: 'MuxError',
      code: 'SPAWN_FAILED',
      message: 'command "my-server" could not be started: EAGAIN spawn EAGAIN',
      cause: REFUSED,
    });
    expect(guard.registered).toEqual([]);
    expect(clock.timerCount).toBe(0);
  });

  it('for a reason without a code is an error with its message alone', async () => {
    const { outcome } = await start(() => {
      throw new Error('the sandbox said no');
    });
    expect(outcome).toMatchObject({
      message: 'command "my-server" could not be started: the sandbox said no',
    });
  });
});

describe('the options of a spawn', () => {
  it.each([
    ['linux', true],
    ['darwin', true],
    ['win32', false],
  ] as const)(
    'on %s make it a group of its own: %s; there is never a shell or a window',
    (platform, detached) => {
      expect(spawnOptions({ env: { A: '1' }, cwd: '/' }, platform)).toEqual({
        env: { A: '1' },
        cwd: '/',
        shell: false,
        detached,
        windowsHide: true,
        stdio: 'pipe',
      });
    },
  );
});
