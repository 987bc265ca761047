import { describe, expect, it, vi } from 'vitest';

import { REMOVE_TIMINGS } from '../process/stop-ladder.js';
import { FakeSpawner, type FakeBehaviour, type FakeRequest } from '../testing/fake-server.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordedUpstream } from '../testing/recorded-upstream.js';
import { fakeUpstreamRig } from '../testing/upstream-rig.js';

const WAIT = { timeout: 10_000, interval: 1 };
const DRAIN_MS = 1000;

/** A server whose runs behave as given, one after the other; calls stay open. */
async function swapping(...behaviours: readonly FakeBehaviour[]) {
  const calls: FakeRequest[] = [];
  const spawner = new FakeSpawner(() => {
    const { intercept, ...behaviour } = behaviours[spawner.servers.length] ?? {};
    return {
      ...behaviour,
      intercept: (request, proceed, fake) => {
        if (request.method === 'tools/call') calls.push(request);
        else if (intercept === undefined) proceed();
        else intercept(request, proceed, fake);
      },
    };
  });
  const clock = new ManualClock();
  const { components, logger } = fakeUpstreamRig(spawner, { clock });
  const server = new RecordedUpstream({ command: process.execPath, reload: 'swap' }, components);
  await server.upstream.start();
  const swap = () => server.upstream.swap(DRAIN_MS, REMOVE_TIMINGS);
  const run = (index: number) => {
    const fake = spawner.servers[index];
    if (fake === undefined) throw new Error(`no run ${index}`);
    return fake;
  };
  const ran = (count: number) => vi.waitUntil(() => spawner.servers.length === count, WAIT);
  return { server, spawner, clock, logger, calls, swap, run, ran };
}

describe('a swap', () => {
  it('E4: starts the next run beside the one that serves, which goes on until the next one runs', async () => {
    const starts: (() => void)[] = [];
    const by = await swapping(
      { tools: ['old'] },
      {
        tools: ['new'],
        intercept: ({ method }, proceed) => (method === 'initialize' ? void starts.push(proceed) : proceed()),
      },
    );
    await using server = by.server;
    const swapped = by.swap();
    await vi.waitUntil(() => starts.length === 1, WAIT);
    expect(by.spawner.alive).toHaveLength(2);
    expect(server.upstream.state).toMatchObject({ kind: 'running', generation: 1, pid: by.run(0).pid });
    expect(server.toolNames).toEqual(['old']);
    for (const proceed of starts) proceed();
    await expect(swapped).resolves.toBeUndefined();
    expect(server.upstream.state).toMatchObject({ kind: 'running', generation: 2, pid: by.run(1).pid });
    expect(server.toolNames).toEqual(['new']);
    expect(server.states.map(({ kind }) => kind)).toEqual(['starting', 'running', 'running']);
    expect(by.spawner.alive).toEqual([by.run(1)]);
  });

  it('E4: lets the calls of the run before finish there, and sends new ones to the next', async () => {
    const by = await swapping();
    await using server = by.server;
    const before = server.callTool('x');
    await vi.waitUntil(() => by.calls.length === 1, WAIT);
    const swapped = by.swap();
    await vi.waitUntil(() => server.upstream.restartCount === 1, WAIT);
    void server.callTool('y');
    await vi.waitUntil(() => by.calls.length === 2, WAIT);
    expect(by.run(1).received.at(-1)).toContain('"name":"y"');
    const [call] = by.calls;
    if (call !== undefined) by.run(0).answer(call, { content: [] });
    await expect(before).resolves.toHaveProperty('line');
    await swapped;
    expect(by.spawner.alive).toEqual([by.run(1)]);
  });

  it('E4: tells the calls of the run before that they were not repeated when the drain time is over', async () => {
    const by = await swapping();
    await using server = by.server;
    const before = server.callTool('x');
    const swapped = by.swap();
    await vi.waitUntil(() => server.upstream.restartCount === 1, WAIT);
    await nextTurn();
    by.clock.advance(DRAIN_MS);
    await expect(before).resolves.toEqual({ failure: { kind: 'reloaded' } });
    await swapped;
    expect(by.spawner.alive).toEqual([by.run(1)]);
  });

  it('E4: leaves everything as it was when the next run fails, and says why', async () => {
    const by = await swapping(
      { tools: ['old'] },
      { intercept: (_, __, fake) => fake.exit(7) },
      { tools: ['new'] },
    );
    await using server = by.server;
    const call = server.callTool('x');
    await expect(by.swap()).resolves.toMatchObject({ kind: 'exited', exit: { exitCode: 7 } });
    expect(server.upstream.state).toMatchObject({ kind: 'running', generation: 1, pid: by.run(0).pid });
    expect(server.toolNames).toEqual(['old']);
    expect(server.upstream.warnings).toEqual([
      'the last reload failed, and the previous run continues: Server "fixture" exited with code 7.',
    ]);
    expect(by.logger.messages('error')).toEqual(['Server "fixture" exited with code 7.']);
    const [open] = by.calls;
    if (open !== undefined) by.run(0).answer(open, { content: [] });
    await expect(call).resolves.toHaveProperty('line');
    await expect(by.swap()).resolves.toBeUndefined();
    expect(server.toolNames).toEqual(['new']);
    expect(server.upstream.warnings).toEqual([]);
  });

  it('E4: brings the server back when the run before ends while the next one starts', async () => {
    const starts: (() => void)[] = [];
    const by = await swapping(
      {},
      {
        intercept: ({ method }, proceed) => (method === 'initialize' ? void starts.push(proceed) : proceed()),
      },
    );
    await using server = by.server;
    const swapped = by.swap();
    await vi.waitUntil(() => starts.length === 1, WAIT);
    by.run(0).exit(1);
    await server.untilState('crashed');
    for (const proceed of starts) proceed();
    await swapped;
    expect(server.states.map(({ kind }) => kind)).toEqual(['starting', 'running', 'crashed', 'running']);
    expect(server.upstream.state).toMatchObject({ generation: 2 });
  });

  it('E4: ends both runs when the server is removed meanwhile', async () => {
    const by = await swapping({}, { intercept: () => undefined });
    await using server = by.server;
    const swapped = by.swap();
    await by.ran(2);
    server.upstream.markRemoved();
    await server.upstream.endRun({ kind: 'removed' }, DRAIN_MS, REMOVE_TIMINGS);
    await expect(swapped).resolves.toEqual({ kind: 'removed' });
    expect(by.spawner.alive).toEqual([]);
  });

  it('E4: ends both runs when mcpmux ends meanwhile', async () => {
    const by = await swapping({}, { intercept: () => undefined });
    const swapped = by.swap();
    await by.ran(2);
    await by.server.upstream.shutDown();
    await swapped;
    expect(by.spawner.alive).toEqual([]);
  });

  it('E4: does not lose a change to the lists that the next run announces while it starts', async () => {
    let lists = 0;
    const by = await swapping(
      {},
      {
        intercept: (request, proceed, fake) => {
          if (request.method !== 'tools/list') return proceed();
          lists += 1;
          if (lists === 1) fake.send('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
          fake.answer(request, { tools: [{ name: `list_${lists}`, inputSchema: { type: 'object' } }] });
        },
      },
    );
    await using server = by.server;
    await by.swap();
    await server.until(() => server.toolNames.includes('list_2'));
    expect(server.toolNames).toEqual(['list_2']);
  });
});
