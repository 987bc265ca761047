import { describe, expect, it, vi } from 'vitest';

import { MARKER_VARIABLE } from '../../process/environment.js';
import { ABORT_TIMINGS } from '../../process/stop-ladder.js';
import { Semaphore } from '@mcpmux/kit';
import { parseServerName } from '@mcpmux/namespace';
import { fakeChild } from '../../testing/fake-child.js';
import { FakeSpawner, type FakeBehaviour } from '../../testing/fake-server.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import type { RecordingLogger } from '../../testing/recording-logger.js';
import { fakeUpstreamRig, type UpstreamRigInit } from '../../testing/upstream-rig.js';
import { RunInbox } from './run-inbox.js';
import { ServerRun } from './server-run.js';
import type { RunFailure } from '../link/run-failure.js';
import { Layer } from '../config/layer.js';
import type { ProcessConfig } from '../config/server-config.js';

const SILENT: FakeBehaviour = { intercept: () => undefined };
const WAIT = { timeout: 10_000, interval: 5 };

interface Rig {
  readonly serverRun: ServerRun;
  readonly spawner: FakeSpawner;
  /** What the owner was told, in order. */
  readonly failures: readonly RunFailure[];
  readonly notifications: readonly string[];
  readonly logger: RecordingLogger;
}

function newRun(
  behaviour: FakeBehaviour,
  init: UpstreamRigInit = {},
  config: Partial<ProcessConfig> = {},
): Rig {
  const spawner = new FakeSpawner(() => behaviour);
  const failures: RunFailure[] = [];
  const notifications: string[] = [];
  const { components, logger } = fakeUpstreamRig(spawner, init);
  const inbox = new RunInbox({
    upstream: 'fake',
    inbox: {
      onNotification: ({ message }) => notifications.push(message.method),
      onRequest: () => undefined,
    },
    onListChanged: () => undefined,
  });
  const serverRun = new ServerRun(
    {
      server: parseServerName('fake'),
      config: { command: process.execPath, ...config },
      layer: new Layer('shared'),
      secrets: [],
    },
    { runId: 7, inbox },
    components,
    {
      onReport: () => undefined,
      onSessionDoubted: () => Promise.resolve(false),
      onFailure: (failure) => failures.push(failure),
    },
  );
  return { serverRun, spawner, failures, notifications, logger };
}

/** Resolves when the fake server is up. */
async function spawned({ spawner }: Rig): Promise<void> {
  await vi.waitUntil(() => spawner.servers.length > 0, WAIT);
}

describe('a run', () => {
  it('is started once', async () => {
    const { serverRun } = newRun({});
    await serverRun.start();
    await expect(serverRun.start()).rejects.toThrow('a run is started once');
    await serverRun.stop(ABORT_TIMINGS);
  });

  it('gives its process the merged environment and the marker of the run', async () => {
    const init = { environment: { PATH: '/usr/bin', LANG: 'C' }, instanceId: 'instance' };
    const { serverRun, spawner } = newRun({}, init, { args: ['--fast'], env: { LANG: 'de' }, cwd: '/' });
    await serverRun.start();
    expect(spawner.last.spec).toEqual({
      command: process.execPath,
      args: ['--fast'],
      cwd: '/',
      env: { PATH: '/usr/bin', LANG: 'de', [MARKER_VARIABLE]: 'instance:7' },
    });
    await serverRun.stop(ABORT_TIMINGS);
  });

  it('M11: is logged with its process and its number, and without its environment', async () => {
    const { serverRun, logger, spawner } = newRun({}, {}, { env: { TOKEN: 'canary' } });
    await serverRun.start();
    expect(logger.records).toEqual([
      {
        level: 'info',
        message: 'started a server process',
        fields: { server: 'fake', pid: spawner.last.pid, run: 7 },
      },
    ]);
    await serverRun.stop(ABORT_TIMINGS);
  });

  it('serves from the end of its first list to its own end', async () => {
    const run = newRun({ tools: ['a', 'b'] });
    expect([run.serverRun.isServing, run.serverRun.connection]).toEqual([false, undefined]);
    const started = await run.serverRun.start();
    expect(started?.listings.tools.items.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(run.serverRun.isServing).toBe(true);
    expect(run.serverRun.connection).toBeDefined();
    await run.serverRun.end({ kind: 'removed' }, ABORT_TIMINGS);
    expect([run.serverRun.isServing, run.serverRun.connection]).toEqual([false, undefined]);
    expect(run.failures).toEqual([{ kind: 'removed' }]);
    expect(run.spawner.alive.length).toBe(0);
  });

  it('tells of its end once, before start resolves', async () => {
    const run = newRun({ intercept: (_, __, server) => server.exit(3) });
    const seen: number[] = [];
    await run.serverRun.start().then(() => seen.push(run.failures.length));
    expect(seen).toEqual([1]);
    expect(run.failures).toEqual([{ kind: 'exited', exit: { exitCode: 3, signal: null }, stderrTail: [] }]);
    await run.serverRun.end({ kind: 'removed' }, ABORT_TIMINGS);
    expect(run.failures).toHaveLength(1);
  });

  it('does not ask a server for tools that has declared prompts alone', async () => {
    const run = newRun({
      intercept: (request, _, server) =>
        server.answer(request, { protocolVersion: '2024-11-05', capabilities: { prompts: {} } }),
    });
    await expect(run.serverRun.start()).resolves.toMatchObject({
      listings: { tools: { items: [], warnings: [] } },
    });
    expect(run.spawner.last.received.join()).not.toContain('tools/list');
    await run.serverRun.stop(ABORT_TIMINGS);
  });
});

describe('a run that is ended while it starts', () => {
  it('stops the process that is waiting for its answer', async () => {
    const run = newRun(SILENT);
    const started = run.serverRun.start();
    await spawned(run);
    await run.serverRun.end({ kind: 'removed' }, ABORT_TIMINGS);
    await expect(started).resolves.toBeUndefined();
    expect(run.failures).toEqual([{ kind: 'removed' }]);
    expect(run.spawner.alive.length).toBe(0);
  });

  it('stops a process that was spawned in that very moment, before it resolves', async () => {
    let aliveAtEnd: Promise<number> | undefined;
    const run = newRun(SILENT, {
      spawn: (spec) => {
        queueMicrotask(() => {
          const ended = run.serverRun.end({ kind: 'removed' }, ABORT_TIMINGS);
          aliveAtEnd = ended.then(() => run.spawner.alive.length);
        });
        return run.spawner.spawn(spec);
      },
    });
    await run.serverRun.start();
    expect(run.spawner.servers.length).toBe(1);
    await expect(aliveAtEnd).resolves.toBe(0);
  });

  it('spawns nothing when it was still waiting for its turn', async () => {
    const spawnLimiter = new Semaphore(1);
    const release = await spawnLimiter.acquire();
    const run = newRun({}, { spawnLimiter });
    const started = run.serverRun.start();
    await nextTurn();
    await run.serverRun.end({ kind: 'removed' }, ABORT_TIMINGS);
    release();
    await expect(started).resolves.toBeUndefined();
    expect(run.spawner.servers.length).toBe(0);
    expect(run.failures).toEqual([{ kind: 'removed' }]);
    // Its turn went to the next.
    await expect(spawnLimiter.acquire()).resolves.toBeTypeOf('function');
  });
});

describe('the spawn slot of a run', () => {
  it('is given back when the server runs', async () => {
    const spawnLimiter = new Semaphore(1);
    const run = newRun({}, { spawnLimiter });
    await run.serverRun.start();
    await expect(spawnLimiter.acquire()).resolves.toBeTypeOf('function');
    await run.serverRun.stop(ABORT_TIMINGS);
  });

  it('is given back when the start fails', async () => {
    const spawnLimiter = new Semaphore(1);
    const run = newRun(
      {},
      {
        spawnLimiter,
        spawn: () => {
          throw new Error('no');
        },
      },
    );
    await run.serverRun.start();
    expect(run.failures).toMatchObject([{ kind: 'not-launched' }]);
    await expect(spawnLimiter.acquire()).resolves.toBeTypeOf('function');
  });

  it('is given back after a second by a server that takes longer to start', async () => {
    const clock = new ManualClock();
    const spawnLimiter = new Semaphore(1);
    const run = newRun(SILENT, { spawnLimiter, clock });
    const started = run.serverRun.start();
    await spawned(run);
    let isFree = false;
    void spawnLimiter.acquire().then(() => (isFree = true));
    clock.advance(999);
    await nextTurn();
    expect(isFree).toBe(false);
    clock.advance(1);
    await nextTurn();
    expect(isFree).toBe(true);
    await run.serverRun.end({ kind: 'removed' }, ABORT_TIMINGS);
    await started;
  });
});

describe('the start time', () => {
  it('is one for the handshake and all pages together', async () => {
    const clock = new ManualClock();
    const run = newRun(
      {
        intercept: (request, proceed, server) => {
          if (request.method !== 'tools/list') return proceed();
          clock.advance(400);
          server.answer(request, { tools: [], nextCursor: `${clock.now()}` });
        },
      },
      { clock, limits: { startTimeoutMs: 1000 } },
    );
    await run.serverRun.start();
    expect(run.failures).toEqual([
      { kind: 'start-timeout', phase: 'tools/list', afterMs: 1000, stderrTail: [] },
    ]);
    expect(run.spawner.alive.length).toBe(0);
  });

  it('fault A1: includes the launch: a process that is not there in time is given up', async () => {
    const clock = new ManualClock();
    const unborn = fakeChild();
    const run = newRun({}, { clock, spawn: () => unborn });
    const started = run.serverRun.start();
    await vi.waitUntil(() => unborn.listenerCount('error') > 0, WAIT);
    clock.advance(60_000);
    await expect(started).resolves.toBeUndefined();
    expect(run.failures).toEqual([
      { kind: 'start-timeout', phase: 'launch', afterMs: 60_000, stderrTail: [] },
    ]);
  });

  it('fault A3: may be another one for a server that is slow', async () => {
    const clock = new ManualClock();
    const run = newRun(SILENT, { clock }, { startTimeoutMs: 600_000 });
    const started = run.serverRun.start();
    await vi.waitUntil(() => run.spawner.servers[0]?.received.length === 1, WAIT);
    clock.advance(599_999);
    expect(run.failures).toEqual([]);
    clock.advance(1);
    await started;
    expect(run.failures).toMatchObject([{ kind: 'start-timeout', phase: 'initialize', afterMs: 600_000 }]);
  });

  it('leaves no timer behind when the server runs', async () => {
    const clock = new ManualClock();
    const run = newRun({}, { clock });
    await run.serverRun.start();
    expect(clock.timerCount).toBe(0);
    await run.serverRun.stop(ABORT_TIMINGS);
  });
});

describe('a pipe that ends', () => {
  it('of a server that exits at the same time is not what is reported', async () => {
    const clock = new ManualClock();
    const run = newRun({}, { clock });
    await run.serverRun.start();
    run.spawner.last.child.stdout.end();
    await nextTurn();
    expect(run.failures).toEqual([]);
    clock.advance(199);
    run.spawner.last.exit(7);
    await vi.waitUntil(() => run.failures.length > 0, WAIT);
    clock.advance(10_000);
    expect(run.failures).toEqual([{ kind: 'exited', exit: { exitCode: 7, signal: null }, stderrTail: [] }]);
  });

  it('is not reported of a server that has exited, also while a descendant holds its other pipes open', async () => {
    const clock = new ManualClock();
    const run = newRun({}, { clock });
    await run.serverRun.start();
    const { child } = run.spawner.last;
    child.stdout.end();
    await nextTurn();
    clock.advance(100);
    child.emit('exit', 7, null);
    clock.advance(150);
    expect(run.failures).toEqual([]);
    clock.advance(110);
    expect(run.failures).toEqual([{ kind: 'exited', exit: { exitCode: 7, signal: null }, stderrTail: [] }]);
  });

  it('leaves no timer behind when the run ends for another reason', async () => {
    const clock = new ManualClock();
    const run = newRun({}, { clock });
    await run.serverRun.start();
    run.spawner.last.child.stdin.destroy(new Error('write EPIPE'));
    await nextTurn();
    expect(clock.timerCount).toBe(1);
    run.spawner.last.exit(0);
    await vi.waitUntil(() => run.failures.length > 0, WAIT);
    expect(clock.timerCount).toBe(0);
  });

  it.each([
    ['stdout', 'read EIO'],
    ['stdin', 'write EIO'],
  ] as const)('because %s has failed is reported as that', async (pipe, problem) => {
    const clock = new ManualClock();
    const run = newRun({ ignoresEof: true }, { clock });
    await run.serverRun.start();
    run.spawner.last.child[pipe].emit('error', new Error(problem));
    clock.advance(200);
    expect(run.failures).toEqual([{ kind: 'pipe-closed', pipe, problem, stderrTail: [] }]);
    run.spawner.last.exit(0);
  });

  it('of a server that goes on living ends the run', async () => {
    const clock = new ManualClock();
    const run = newRun({}, { clock });
    await run.serverRun.start();
    run.spawner.last.child.stdout.end();
    await nextTurn();
    clock.advance(200);
    expect(run.failures).toEqual([{ kind: 'pipe-closed', pipe: 'stdout', stderrTail: [] }]);
    await vi.waitUntil(() => run.spawner.alive.length === 0, WAIT);
  });

  it('M10: a broken stdin pipe ends the run', async () => {
    const clock = new ManualClock();
    const run = newRun({}, { clock });
    await run.serverRun.start();
    run.spawner.last.child.stdin.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    clock.advance(200);
    expect(run.failures).toEqual([{ kind: 'pipe-closed', pipe: 'stdin', stderrTail: [] }]);
    await vi.waitUntil(() => run.spawner.alive.length === 0, WAIT);
  });
});

describe('what a server is told of the client', () => {
  it('G6: has no capability that it may not use', async () => {
    const clientProfile = () =>
      ({ protocolVersion: '2025-11-25', capabilities: { sampling: {}, roots: {} } }) as const;
    const run = newRun({}, { clientProfile }, { denyRequests: ['sampling'] });
    await run.serverRun.start();
    const initialize = JSON.parse(run.spawner.last.received[0] ?? '') as unknown;
    expect(initialize).toMatchObject({ params: { capabilities: { roots: {} } } });
    expect(initialize).not.toHaveProperty('params.capabilities.sampling');
    await run.serverRun.stop(ABORT_TIMINGS);
  });
});

describe('what a server answers to its start', () => {
  it('fault H4: is shown without the values of its environment', async () => {
    const secret = 'hunter2-hunter2';
    const run = newRun(
      {
        intercept: ({ id }, _, server) =>
          server.send(
            JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: `bad key ${secret}` } }),
          ),
      },
      {},
      { env: { API_KEY: secret } },
    );
    await expect(run.serverRun.start()).resolves.toBeUndefined();
    expect(JSON.stringify(run.failures)).not.toContain(secret);
    expect(JSON.stringify(run.failures)).toContain('bad key [redacted]');
  });
});
