import { describe, expect, it } from 'vitest';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { connected, outgoingCall, type Connected } from '../../testing/connected.js';
import { RecordingSink } from '../../testing/recording-sink.js';
import {
  HealthCheck,
  nextHealthState,
  RESTING_STATE,
  type HealthEvent,
  type HealthState,
} from './health-check.js';
import type { HealthConfig } from '../config/server-config.js';

const CONFIG = { intervalMs: 1000, timeoutMs: 100, failures: 3 };
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}';
const LOG = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';

/** A run that is checked every second, and what came of it. */
function checked(
  config: HealthConfig = CONFIG,
): Connected & { check: HealthCheck; found: number[]; pings: () => number } {
  const rig = connected();
  const found: number[] = [];
  const check = new HealthCheck(config, rig.connection, rig.clock, (missed) => found.push(missed));
  check.scheduleCheck();
  const pings = (): number => rig.server.received.filter((line) => line.includes('"ping"')).length;
  return { ...rig, check, found, pings };
}

async function pass(ms: number, { clock }: Connected): Promise<void> {
  clock.advance(ms);
  await nextTurn();
}

describe('a health check', () => {
  it('A8, E8: pings a server that was silent for its interval', async () => {
    const rig = checked();
    await pass(999, rig);
    expect(rig.pings()).toBe(0);
    await pass(1, rig);
    expect(rig.server.received).toEqual(['{"jsonrpc":"2.0","id":1,"method":"ping"}']);
  });

  it.each([
    ['with a result', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['that it knows no ping', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'],
    ['with something else', LOG],
  ])('E8: is content with an answer %s', async (_, line) => {
    const rig = checked({ ...CONFIG, failures: 1 });
    await pass(1000, rig);
    rig.server.send(line);
    await nextTurn();
    await pass(100, rig);
    expect(rig.found).toEqual([]);
    await pass(1000, rig);
    expect(rig.pings()).toBe(2);
  });

  it('E8: does not ping a server that has said anything within the interval', async () => {
    const rig = checked();
    for (let second = 0; second < 5; second += 1) {
      rig.server.send(LOG);
      await nextTurn();
      await pass(1000, rig);
    }
    expect(rig.pings()).toBe(0);
  });

  it('E8: does not take lines that are no messages for a sign of life', async () => {
    const rig = checked();
    rig.server.send('still here');
    await nextTurn();
    await pass(1000, rig);
    expect(rig.pings()).toBe(1);
  });

  it('A8, E8: finds a server unresponsive after so many pings in a row, once, also while a call is in flight', async () => {
    const rig = checked();
    rig.connection.calls.sendCall(outgoingCall(CALL), new RecordingSink());
    for (let ping = 1; ping <= 5; ping += 1) {
      expect(rig.found).toEqual(ping <= 3 ? [] : [3]);
      await pass(1000, rig);
      await pass(100, rig);
    }
    expect(rig.pings()).toBe(3);
    expect(rig.clock.timerCount).toBe(0);
  });

  it('E8: begins to count anew with every sign of life', async () => {
    const rig = checked({ ...CONFIG, failures: 2 });
    for (let round = 0; round < 5; round += 1) {
      await pass(1000, rig);
      await pass(100, rig);
      rig.server.send(LOG);
      await nextTurn();
      await pass(1000, rig);
    }
    expect(rig.found).toEqual([]);
  });

  it('E8: holds nothing against a server that waits for a client which does not read', async () => {
    const rig = checked({ ...CONFIG, failures: 1 });
    const slow = {};
    rig.connection.calls.pauseOutput(slow);
    await pass(5000, rig);
    expect(rig.pings()).toBe(0);
    rig.connection.calls.resumeOutput(slow);
    await pass(1000, rig);
    expect(rig.pings()).toBe(1);
    rig.connection.calls.pauseOutput(slow);
    expect(rig.connection.calls.isOutputPaused).toBe(true);
    await pass(100, rig);
    expect(rig.found).toEqual([]);
  });

  it('reports its pings: the time of the last answer, and the pings missed since the last message', async () => {
    const rig = checked();
    expect(rig.check.report).toEqual({ missed: 0 });
    rig.server.send(LOG);
    await nextTurn();
    await pass(1000, rig);
    expect(rig.check.report).toEqual({ missed: 0 });
    await pass(1000, rig);
    rig.server.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    await nextTurn();
    const answeredAt = rig.clock.now();
    expect(rig.check.report).toEqual({ missed: 0, answeredAt });
    await pass(1000, rig);
    await pass(100, rig);
    expect(rig.check.report).toEqual({ missed: 1, answeredAt });
  });

  it('ends with the run, also in the middle of a ping', async () => {
    const rig = checked({ ...CONFIG, failures: 1 });
    await pass(1000, rig);
    rig.check.end();
    rig.connection.failAll({ kind: 'removed' });
    await pass(5000, rig);
    expect(rig.found).toEqual([]);
    expect(rig.clock.timerCount).toBe(0);
  });
});

describe('a health check by a tool', () => {
  const BY_TOOL = { ...CONFIG, tool: 'probe', failures: 2 };
  const answer = (id: number, result: string): string => `{"jsonrpc":"2.0","id":${id},${result}}`;

  it('A8: calls it at each interval, also while the server speaks', async () => {
    const rig = checked(BY_TOOL);
    for (let id = 1; id <= 3; id += 1) {
      rig.server.send(LOG);
      await nextTurn();
      await pass(1000, rig);
      expect(rig.server.received).toHaveLength(id);
      rig.server.send(answer(id, '"result":{"content":[]}'));
      await nextTurn();
    }
    expect(rig.server.received[0]).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"probe","arguments":{}}}',
    );
    expect(rig.pings()).toBe(0);
    expect(rig.found).toEqual([]);
  });

  it.each([
    ['says that it failed', '"result":{"content":[],"isError":true}'],
    ['is an error', '"error":{"code":-32602,"message":"no such tool"}'],
    ['is no object', '"result":7'],
  ])('A8: finds a server unresponsive when so many answers in a row are one that %s', async (_, result) => {
    const rig = checked(BY_TOOL);
    for (let id = 1; id <= 2; id += 1) {
      await pass(1000, rig);
      rig.server.send(answer(id, result));
      await nextTurn();
    }
    expect(rig.found).toEqual([2]);
  });

  it('A8: finds a server unresponsive that answers everything but it', async () => {
    const rig = checked(BY_TOOL);
    for (let call = 1; call <= 2; call += 1) {
      await pass(1000, rig);
      rig.server.send(LOG);
      await pass(100, rig);
    }
    expect(rig.found).toEqual([2]);
  });

  it('holds nothing against a server whose output waits for a client', async () => {
    const rig = checked({ ...BY_TOOL, failures: 1 });
    rig.connection.calls.pauseOutput({});
    await pass(5000, rig);
    expect(rig.server.received).toEqual([]);
    expect(rig.found).toEqual([]);
  });
});

const MAX_MISSED = 2;
const STATES: readonly HealthState[] = [
  { kind: 'resting', missed: 1 },
  { kind: 'asked', missed: 1 },
  { kind: 'unresponsive', missed: 2 },
  { kind: 'over' },
];

function after(event: HealthEvent): readonly HealthState[] {
  return STATES.map((state) => nextHealthState(state, event, MAX_MISSED));
}

describe('the health of a run', () => {
  it('needs no ping while the server speaks, which clears what it has missed', () => {
    expect(after({ kind: 'looked', isAlive: true })).toEqual([RESTING_STATE, ...STATES.slice(1)]);
  });

  it('is asked for after a silent interval', () => {
    expect(after({ kind: 'looked', isAlive: false })).toEqual([
      { kind: 'asked', missed: 1 },
      ...STATES.slice(1),
    ]);
  });

  it('is good again with an answer', () => {
    expect(after({ kind: 'answered' })).toEqual([STATES[0], RESTING_STATE, STATES[2], STATES[3]]);
  });

  it('is bad after so many missed pings in a row, not before', () => {
    expect(nextHealthState({ kind: 'asked', missed: 0 }, { kind: 'missed' }, MAX_MISSED)).toEqual({
      kind: 'resting',
      missed: 1,
    });
    expect(after({ kind: 'missed' })).toEqual([
      STATES[0],
      { kind: 'unresponsive', missed: 2 },
      STATES[2],
      STATES[3],
    ]);
  });

  it('is of no interest any more when the run has ended', () => {
    expect(after({ kind: 'ended' })).toEqual(STATES.map(() => ({ kind: 'over' })));
  });
});
