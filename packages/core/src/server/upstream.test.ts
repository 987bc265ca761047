import { describe, expect, it, vi } from 'vitest';

import { REMOVE_TIMINGS } from '../process/stop-ladder.js';
import { FakeSpawner, type FakeBehaviour } from '../testing/fake-server.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordedUpstream } from '../testing/recorded-upstream.js';
import { fakeUpstreamRig, type UpstreamRigInit } from '../testing/upstream-rig.js';

const CONFIG = { command: process.execPath };
const HOLD: FakeBehaviour = {
  tools: ['hold'],
  intercept: ({ method }, proceed) => {
    if (method !== 'tools/call') proceed();
  },
};
const WAIT = { timeout: 10_000, interval: 5 };

function newUpstream(
  spawner: FakeSpawner,
  init: UpstreamRigInit = {},
  after?: Promise<void>,
): RecordedUpstream {
  return new RecordedUpstream(CONFIG, fakeUpstreamRig(spawner, init).components, after);
}

function kinds({ states }: RecordedUpstream): string[] {
  return states.map((state) => ('generation' in state ? `${state.kind} ${state.generation}` : state.kind));
}

/** As long as another server takes to start, twice. */
async function aWhile(): Promise<void> {
  await using other = newUpstream(new FakeSpawner());
  await other.upstream.start();
  await other.upstream.reload(0, REMOVE_TIMINGS);
}

describe('a server', () => {
  it('is starting, then running with its tools and a connection', async () => {
    const spawner = new FakeSpawner(() => ({ tools: ['a', 'b'] }));
    await using server = newUpstream(spawner);
    const started = server.upstream.start();
    expect(server.upstream.state.kind).toBe('starting');
    expect(server.upstream.connection).toBeUndefined();
    await started;
    expect(kinds(server)).toEqual(['starting 1', 'running 1']);
    expect(server.upstream.state).toMatchObject({ pid: spawner.last.pid });
    expect(server.toolNames).toEqual(['a', 'b']);
    expect(server.upstream.connection).toBeDefined();
    expect(server.upstream.restartCount).toBe(0);
  });

  it('keeps the instructions that it gave', async () => {
    const spawner = new FakeSpawner(() => ({
      intercept: (request, proceed, fake) => {
        if (request.method !== 'initialize') return proceed();
        fake.answer(request, { protocolVersion: '2025-06-18', capabilities: {}, instructions: 'be kind' });
      },
    }));
    await using server = newUpstream(spawner);
    await server.upstream.start();
    expect(server.upstream.identity?.instructions).toBe('be kind');
  });

  it('waits with its start for what it was told to wait for', async () => {
    const spawner = new FakeSpawner();
    let release: () => void = () => undefined;
    const after = new Promise<void>((resolve) => (release = resolve));
    await using server = newUpstream(spawner, {}, after);
    const started = server.upstream.start();
    await aWhile();
    expect(server.upstream.state.kind).toBe('starting');
    expect(spawner.servers.length).toBe(0);
    release();
    await started;
    expect(server.upstream.state.kind).toBe('running');
  });

  it('that is removed while it waits is never started', async () => {
    const spawner = new FakeSpawner();
    let release: () => void = () => undefined;
    const after = new Promise<void>((resolve) => (release = resolve));
    await using server = newUpstream(spawner, {}, after);
    const started = server.upstream.start();
    server.upstream.markRemoved();
    release();
    await started;
    expect(spawner.servers.length).toBe(0);
    expect(kinds(server)).toEqual(['starting 1', 'removed']);
  });

  it('that is reloaded while it waits goes on waiting', async () => {
    const spawner = new FakeSpawner();
    let release: () => void = () => undefined;
    const after = new Promise<void>((resolve) => (release = resolve));
    await using server = newUpstream(spawner, {}, after);
    const started = server.upstream.start();
    const reloaded = server.upstream.reload(0, REMOVE_TIMINGS);
    await aWhile();
    expect(spawner.servers.length).toBe(0);
    release();
    await Promise.all([started, reloaded]);
    expect(kinds(server)).toEqual(['starting 1', 'starting 2', 'running 2']);
    expect(spawner.servers.length).toBe(1);
  });

  it('counts the lines of its current run that were dropped', async () => {
    const spawner = new FakeSpawner();
    await using server = newUpstream(spawner);
    expect(server.upstream.dropCounts.lines).toBe(0);
    await server.upstream.start();
    spawner.last.send('no JSON', 'no JSON either');
    await vi.waitUntil(() => server.upstream.dropCounts.lines > 0, WAIT);
    expect(server.upstream.dropCounts.lines).toBe(2);
    await server.upstream.reload(0, REMOVE_TIMINGS);
    expect(server.upstream.dropCounts.lines).toBe(0);
  });
});

describe('a reload', () => {
  it('ends the run before the next one is spawned, with the same configuration', async () => {
    const spawner = new FakeSpawner(() => ({ tools: ['a'] }));
    const aliveAtSpawn: number[] = [];
    await using server = newUpstream(spawner, {
      spawn: (spec) => {
        aliveAtSpawn.push(spawner.alive.length);
        return spawner.spawn(spec);
      },
    });
    await server.upstream.start();
    await server.upstream.reload(0, REMOVE_TIMINGS);
    expect(aliveAtSpawn).toEqual([0, 0]);
    expect(kinds(server)).toEqual(['starting 1', 'running 1', 'starting 2', 'running 2']);
    expect(server.upstream.restartCount).toBe(1);
    const [first, second] = spawner.servers.map(({ spec }) => [spec.command, spec.args, spec.cwd]);
    expect(second).toEqual(first);
  });

  it('refuses calls from the moment it is asked for', async () => {
    const spawner = new FakeSpawner(() => HOLD);
    await using server = newUpstream(spawner);
    await server.upstream.start();
    const reloaded = server.upstream.reload(0, REMOVE_TIMINGS);
    expect(server.upstream.connection).toBeUndefined();
    await reloaded;
    expect(server.upstream.connection).toBeDefined();
  });

  it('gives calls in flight time to finish, and goes on as soon as they have', async () => {
    const clock = new ManualClock();
    const spawner = new FakeSpawner(() => HOLD);
    await using server = newUpstream(spawner, { clock });
    await server.upstream.start();
    const called = server.callTool('hold');
    await vi.waitUntil(() => spawner.last.received.length === 4, WAIT);
    const reloaded = server.upstream.reload(1000, REMOVE_TIMINGS);
    await nextTurn();
    expect(spawner.alive.length).toBe(1);
    spawner.last.send('{"jsonrpc":"2.0","id":3,"result":{}}');
    await expect(called).resolves.toEqual({ line: '{"jsonrpc":"2.0","id":3,"result":{}}' });
    await reloaded;
    expect(kinds(server).at(-1)).toBe('running 2');
  });

  it('E4: fails the calls that do not finish in that time, and does not repeat them', async () => {
    const clock = new ManualClock();
    const spawner = new FakeSpawner(() => HOLD);
    await using server = newUpstream(spawner, { clock });
    await server.upstream.start();
    const called = server.callTool('hold');
    const reloaded = server.upstream.reload(1000, REMOVE_TIMINGS);
    await nextTurn();
    clock.advance(999);
    await nextTurn();
    expect(spawner.alive.length).toBe(1);
    clock.advance(1);
    await expect(called).resolves.toEqual({ failure: { kind: 'reloaded' } });
    await reloaded;
    expect(spawner.servers.map(({ received }) => received.join().includes('tools/call'))).toEqual([
      true,
      false,
    ]);
  });

  it('of a crashed server starts it', async () => {
    const spawner = new FakeSpawner();
    await using server = newUpstream(spawner);
    await server.upstream.start();
    spawner.last.exit(1);
    await server.untilState('crashed');
    await server.upstream.reload(1000, REMOVE_TIMINGS);
    expect(kinds(server)).toEqual(['starting 1', 'running 1', 'crashed 1', 'starting 2', 'running 2']);
  });

  it('of a server that hangs in its start begins anew at once', async () => {
    let starts = 0;
    const spawner = new FakeSpawner(() => {
      starts += 1;
      return starts === 1 ? { intercept: () => undefined } : {};
    });
    await using server = newUpstream(spawner);
    const started = server.upstream.start();
    await vi.waitUntil(() => spawner.servers.length === 1, WAIT);
    await server.upstream.reload(60_000, REMOVE_TIMINGS);
    await started;
    expect(kinds(server)).toEqual(['starting 1', 'starting 2', 'running 2']);
    expect(spawner.alive.length).toBe(1);
  });

  it('is untouched by what the run before still does', async () => {
    const spawner = new FakeSpawner((): FakeBehaviour => ({ tools: ['a'], ignoresEof: true }));
    await using server = newUpstream(spawner);
    await server.upstream.start();
    const old = spawner.last;
    const reloaded = server.upstream.reload(0, { eofGraceMs: 0, termGraceMs: 0 });
    await reloaded;
    old.send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', 'garbage');
    old.exit(1);
    await nextTurn();
    expect(kinds(server).at(-1)).toBe('running 2');
    expect(server.upstream.dropCounts.lines).toBe(0);
    expect(server.toolChanges).toEqual([]);
    spawner.last.exit(0);
  });
});

describe('the end of mcpmux', () => {
  it('answers what is in flight and removes the server', async () => {
    const spawner = new FakeSpawner(() => HOLD);
    await using server = newUpstream(spawner);
    await server.upstream.start();
    const called = server.callTool('hold');
    await server.upstream.shutDown();
    await expect(called).resolves.toEqual({ failure: { kind: 'shut-down' } });
    expect(server.upstream.state).toEqual({ kind: 'removed' });
    expect(spawner.alive.length).toBe(0);
  });

  it('does not wait for calls that are draining', async () => {
    const clock = new ManualClock();
    const spawner = new FakeSpawner(() => HOLD);
    await using server = newUpstream(spawner, { clock });
    await server.upstream.start();
    const called = server.callTool('hold');
    server.upstream.markRemoved();
    const ended = server.upstream.endRun({ kind: 'removed' }, 60_000, REMOVE_TIMINGS);
    await nextTurn();
    await server.upstream.shutDown();
    await ended;
    await expect(called).resolves.toEqual({ failure: { kind: 'shut-down' } });
  });
});
