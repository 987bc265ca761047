import { expect, it } from 'vitest';

import { callingNow, listed, outcomeOf, totalsOf, type InFlight } from './call-list.js';
import type { Call, Overview } from './model.js';

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

it('the totals count what models read, at four bytes for a token', () => {
  expect(totalsOf(listed(CALLS, known(10), 100))).toEqual({
    calls: 6,
    inFlight: 2,
    failed: 2,
    bytes: 410,
    tokens: 103,
  });
});

it('the tools that are called now are known by server, each once', () => {
  const now = callingNow([...CALLS, call(5, { server: 'busy', tool: 't2' })], known(10));
  expect([...now]).toEqual([
    ['busy', ['t2']],
    ['idle', ['t20']],
  ]);
});
