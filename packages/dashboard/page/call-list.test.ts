import { expect, it } from 'vitest';

import { callingNow, chosenCalls, listed, outcomeOf, totalsOf, type InFlight } from './call-list.js';
import { keyOf } from './layers.js';
import type { Call } from './model.js';
import type { Overview } from '../src/data/overview-shown.js';

function call(number: number, more: Partial<Call> = {}): Call {
  return { call: number, time: number, server: 'idle', tool: `t${number}`, hasContent: false, ...more };
}

function known(asOf: number): InFlight {
  const server = (name: string, running: number) => ({ name, calls: { running } });
  const overview = { servers: [server('idle', 0), server('busy', 2)] } as unknown as Overview;
  return { overview, asOf };
}

const CALLS = [
  call(1, { ending: 'result', ms: 5, received: 400 }),
  call(2, { server: 'busy' }),
  call(3, { ending: 'result', problem: 'it broke', ms: 7, received: 10 }),
  call(4),
  call(20),
  call(21, { ending: 'cancelled', ms: 1 }),
];

it('calls in flight are listed first with the time so far, then the newest', () => {
  const rows = listed(CALLS, known(10), 100);
  expect(rows.map((row) => [row.call, outcomeOf(row), row.took])).toEqual([
    [20, 'in flight', 80],
    [2, 'in flight', 98],
    [21, 'cancelled', 1],
    [4, 'end not seen', undefined],
    [3, 'error', 7],
    [1, 'result', 5],
  ]);
});

it('a call whose end was lost is neither in flight nor failed', () => {
  const rows = listed([call(1, { server: 'busy', ending: 'unknown' })], known(10), 100);
  expect(rows.map(outcomeOf)).toEqual(['end not seen']);
  expect(totalsOf(rows)).toMatchObject({ inFlight: 0, failed: 0 });
});

it('the totals count what models read, at four bytes for a token', () => {
  expect(totalsOf(listed(CALLS, known(10), 100))).toEqual({
    calls: 6,
    inFlight: 2,
    failed: 1,
    bytes: 410,
    tokens: 103,
  });
});

it('the calls of a choice are listed: failed, in flight, or the slowest of the last ten minutes first', () => {
  const now = 1_000_000;
  const calls = [
    call(1, { ending: 'result', ms: 90_000, time: now - 800_000 }),
    call(2, { ending: 'result', ms: 50_000, time: now - 640_000 }),
    call(3, { ending: 'error', ms: 7, time: now - 1000 }),
    call(4, { ending: 'result', ms: 400, time: now - 1000 }),
    call(5, { ending: 'unknown', time: now - 1000 }),
    call(6, { server: 'busy', time: now - 9 }),
  ];
  const all = listed(calls, known(now), now);
  const chosen = (choice: Parameters<typeof chosenCalls>[1]): readonly number[] =>
    chosenCalls(all, choice, now).map((one) => one.call);
  expect(chosen('all')).toEqual([6, 5, 4, 3, 2, 1]);
  expect(chosen('failed')).toEqual([3]);
  expect(chosen('in flight')).toEqual([6]);
  expect(chosen('slowest')).toEqual([2, 4, 6, 3]);
});

it('the tools that are called now are known by server, each once', () => {
  const now = callingNow([...CALLS, call(5, { server: 'busy', tool: 't2' })], known(10));
  expect([...now]).toEqual([
    [keyOf({ name: 'busy' }), ['t2']],
    [keyOf({ name: 'idle' }), ['t20']],
  ]);
});

it('servers of the same name in different windows have their own calls in flight', () => {
  const servers = [0, 1].map((running) => ({
    name: 'busy',
    layer: `session ${running}`,
    calls: { running },
  }));
  const overview = { servers } as unknown as Overview;
  const calls = [
    call(1, { server: 'busy', layer: 'session 0' }),
    call(2, { server: 'busy', layer: 'session 1' }),
  ];
  expect([...callingNow(calls, { overview, asOf: 10 })]).toEqual([
    [keyOf({ name: 'busy', layer: 'session 1' }), ['t2']],
  ]);
});
