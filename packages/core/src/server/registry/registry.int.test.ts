import process from 'node:process';

import { fixtureCommand, Lifeline, type FixtureName } from '@mcpmux/test-servers';
import { describe, expect, it, vi } from 'vitest';

import { createMux } from '../../mux/mux.js';
import { outgoingCall } from '../../testing/connected.js';
import { RecordingSink } from '../../testing/recording-sink.js';
import { RegistryRig } from '../../testing/registry-rig.js';
import type { UpstreamRigInit } from '../../testing/upstream-rig.js';

const GONE_MS = 5000;
/** There a process has no signals: who kills it sets its exit code. */
const IS_WINDOWS = process.platform === 'win32';
const WAIT = { timeout: GONE_MS, interval: 10 };
const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hold","arguments":{"key":"k"}}}';

/** A registry over real processes, all of which are on the lifeline. */
function registryOn(lifeline: Lifeline, init: UpstreamRigInit = {}): RegistryRig {
  return RegistryRig.overProcesses({ ...init, environment: { ...process.env, LIFELINE: lifeline.address } });
}

describe('concurrent add and remove', () => {
  it('M9: of many servers leaves exactly those that were not removed', async () => {
    await using lifeline = await Lifeline.open();
    await using rig = registryOn(lifeline);
    const names = Array.from({ length: 10 }, (_, index) => `server-${index}`);
    const added = names.map((name) => rig.registry.add(name, fixtureCommand('hold-calls')).started);
    const removed = names.filter((_, index) => index % 2 === 0).map((name) => rig.registry.remove(name));
    const outcomes = await Promise.allSettled(added);
    await Promise.all(removed);
    const kept = names.filter((_, index) => index % 2 === 1);
    expect(outcomes.map(({ status }) => status)).toEqual(
      names.map((name) => (kept.includes(name) ? 'fulfilled' : 'rejected')),
    );
    expect(rig.names).toEqual(kept);
    await vi.waitFor(() => expect(lifeline.alive).toHaveLength(kept.length), WAIT);
  });

  it('of one server, again and again, leaves one process', async () => {
    await using lifeline = await Lifeline.open();
    await using rig = registryOn(lifeline);
    for (let round = 0; round < 5; round += 1) {
      rig.registry.add('db', fixtureCommand('tree')).started.catch(() => undefined);
      void rig.registry.remove('db');
    }
    await rig.registry.add('db', fixtureCommand('hold-calls')).started;
    await vi.waitFor(() => expect(lifeline.alive).toHaveLength(1), WAIT);
    expect(rig.states).toEqual(['running']);
  });

  it('M9: in-flight calls of a removed server fail cleanly', async () => {
    await using lifeline = await Lifeline.open();
    await using rig = registryOn(lifeline, { limits: { drainMs: 50 } });
    const { connection } = await rig.registry.add('db', fixtureCommand('hold-calls')).started;
    const sinks = Array.from({ length: 20 }, () => new RecordingSink());
    for (const sink of sinks) connection?.calls.sendCall(outgoingCall(CALL), sink);
    await rig.registry.remove('db');
    expect(sinks.map(({ events }) => events)).toEqual(sinks.map(() => [{ failure: { kind: 'removed' } }]));
    await lifeline.waitForAllGone(GONE_MS);
  });

  it('M9: in-flight calls of a removed server complete when they are quick', async () => {
    await using lifeline = await Lifeline.open();
    await using rig = registryOn(lifeline, { limits: { drainMs: 10_000 } });
    const { connection } = await rig.registry.add('db', fixtureCommand('hold-calls')).started;
    const [held, release] = [new RecordingSink(), new RecordingSink()];
    connection?.calls.sendCall(outgoingCall(CALL), held);
    connection?.calls.sendCall(outgoingCall(CALL.replace('"hold"', '"release"')), release);
    await rig.registry.remove('db');
    expect([held, release].map(({ events }) => events)).toEqual([
      [{ response: expect.stringContaining('released k'), id: '3' }],
      [{ response: expect.stringContaining('"text":"1"'), id: '4' }],
    ]);
  });
});

describe('a server that is killed from outside', () => {
  it('M7: external kill is detected and removes tools', async () => {
    await using mux = createMux();
    const { pid, tools } = await mux.addServer('hold', fixtureCommand('hold-calls'));
    expect(tools).toEqual(['hold__hold', 'hold__release']);
    const crashed = new Promise((resolve) => {
      mux.on('server:state', ({ status, error }) => status === 'crashed' && resolve(error));
    });
    const changed = new Promise((resolve) => mux.on('catalog:changed', resolve));
    process.kill(pid ?? 0, 'SIGKILL');
    await expect(crashed).resolves.toBe(
      `Server "hold" ${IS_WINDOWS ? 'exited with code 1' : 'was killed by signal SIGKILL'}.`,
    );
    await changed;
    expect(mux.listServers()).toMatchObject([
      {
        name: 'hold',
        status: 'crashed',
        tools: [],
        last_error: IS_WINDOWS ? { exit_code: 1 } : { signal: 'SIGKILL' },
      },
    ]);
    await expect(mux.callTool('hold__hold', { key: 'k' })).resolves.toMatchObject({ isError: true });
  });
});

describe('the end of a server', () => {
  it.each<[FixtureName, number]>([
    ['tree', 3],
    ['setsid-escapee', 2],
  ])('F1, F4: by removal leaves nothing of %s', async (fixture, processes) => {
    await using lifeline = await Lifeline.open();
    await using rig = registryOn(lifeline);
    await rig.registry.add('server', fixtureCommand(fixture)).started;
    await lifeline.waitForAlive(processes);
    await rig.registry.remove('server');
    await lifeline.waitForAllGone(GONE_MS);
    expect(lifeline.alive).toEqual([]);
  });

  it('by a reload leaves only the new process', async () => {
    await using lifeline = await Lifeline.open();
    await using rig = registryOn(lifeline);
    const { started } = rig.registry.add('server', fixtureCommand('setsid-escapee'));
    await started;
    const before = (await lifeline.waitForAlive(2)).map(({ pid }) => pid);
    await rig.registry.reload('server');
    for (const pid of before) await lifeline.waitForGone(pid, GONE_MS);
    await lifeline.waitForAlive(2);
    expect(lifeline.alive).toHaveLength(2);
  });

  it('M7: graceful shutdown sends SIGTERM then SIGKILL to all servers, and leaves nothing', async () => {
    await using lifeline = await Lifeline.open();
    await using rig = registryOn(lifeline);
    const fixtures: FixtureName[] = ['ignore-sigterm', 'ignore-eof', 'tree', 'setsid-escapee', 'hold-calls'];
    await Promise.all(fixtures.map((name) => rig.registry.add(name, fixtureCommand(name)).started));
    await lifeline.waitForAlive(1 + 1 + 3 + 2 + 1);
    await rig.registry.shutDown();
    await lifeline.waitForAllGone(GONE_MS);
    expect(rig.stderr.toSorted((a, b) => a.localeCompare(b))).toEqual([
      ...(IS_WINDOWS ? [] : ['SIGTERM received, going on']),
      'stdin has ended, going on',
      'stdin has ended, going on',
    ]);
  });
});
