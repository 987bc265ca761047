import { expect, it } from 'vitest';

import { EMPTY, next, type Action, type Call, type State } from './model.js';
import type { Overview } from '../src/data/overview-shown.js';

function call(number: number, more: Partial<Call> = {}): Call {
  return { call: number, time: 0, server: 's', tool: 't', hasContent: false, ...more };
}

function overview(uptimeSeconds: number, count: number): Overview {
  const server = {
    name: 's',
    status: 'running' as const,
    tools: [],
    restarts: 0,
    dropped_lines: 0,
    calls: { count, failed: 0, running: 0 },
  };
  const mcpmux = {
    version: '1',
    instance: 'i',
    lastEvent: 0,
    heartbeatMs: 1000,
    pid: 1,
    uptimeSeconds,
    memoryBytes: 0,
    rules: {},
    limits: {},
  };
  const rights = { mayManage: true, canEditConfig: true, canSearch: true };
  return { ...rights, mcpmux, servers: [server], approvals: [], clients: [], config: [] };
}

function batched(state: State, calls: readonly Call[], events: readonly object[] = []): State {
  return next(state, {
    type: 'batch',
    calls,
    events: events as readonly Record<string, unknown>[],
    missed: 1,
    unlisted: 2,
    isLost: false,
  });
}

it('the end of a call replaces its beginning, and the oldest calls give way', () => {
  let state = batched(EMPTY, [call(1), call(2)]);
  state = batched(state, [call(1, { ending: 'result' })]);
  expect([...state.calls.values()].map(({ ending }) => ending)).toEqual(['result', undefined]);
  for (let first = 3; first < 700; first += 50)
    state = batched(
      state,
      Array.from({ length: 50 }, (_, index) => call(first + index)),
    );
  expect(state.calls.size).toBe(500);
  expect(state.missed).toBe(16);
  expect(state.unlisted).toBe(32);
});

it('the last failed calls remain while later calls succeed', () => {
  const failed = Array.from({ length: 120 }, (_, index) => call(index + 1, { ending: 'error' }));
  const others = Array.from({ length: 600 }, (_, index) => call(index + 121, { ending: 'result' }));
  const numbers = [...batched(batched(EMPTY, failed), others).calls.keys()];
  expect(numbers).toHaveLength(500);
  expect([numbers[0], numbers[99], numbers[100], numbers.at(-1)]).toEqual([21, 120, 321, 720]);
});

it('calls that come in another order are listed by their number', () => {
  const state = batched(batched(EMPTY, [call(2), call(5)]), [
    call(3),
    call(2, { ending: 'result' }),
    call(9),
  ]);
  expect([...state.calls.keys()]).toEqual([2, 3, 5, 9]);
});

it('where calls were lost, no call stays in flight but those that are told again', () => {
  const before = batched(EMPTY, [call(1), call(2, { ending: 'result' }), call(3)]);
  const lost = { type: 'batch', events: [], calls: [call(3)], missed: 0, unlisted: 0, isLost: true } as const;
  const state = next(before, lost);
  expect([...state.calls.values()].map(({ ending }) => ending)).toEqual(['unknown', 'result', undefined]);
  expect([before.hasLostCalls, state.hasLostCalls]).toEqual([false, true]);
});

it('the page is interrupted from the first failure until something comes again; an overview changes nothing', () => {
  let state = next(EMPTY, { type: 'overview', overview: overview(1, 0), asOf: 1 });
  const lost = (since: number, isSilent: boolean): Action => ({ type: 'interrupted', since, isSilent });
  state = next(next(state, lost(5, true)), lost(9, false));
  state = next(state, { type: 'overview', overview: overview(2, 0), asOf: 2 });
  expect(state).toMatchObject({ phase: 'interrupted', interruption: { since: 5, isSilent: false } });
  expect(batched(state, [])).toMatchObject({ phase: 'open', interruption: undefined });
});

it('events of servers are lines of the log, of which the latest are stored', () => {
  const event = { type: 'server:stderr', time: 1, server: 's', line: 'x' };
  const state = batched(
    EMPTY,
    [],
    [
      event,
      { type: 'server:state', time: 2, server: 's', status: 'crashed', error: 'it exited' },
      { type: 'server:removed', time: 3, server: 's' },
      { type: 'catalog:changed', time: 4 },
    ],
  );
  expect(state.log.map(({ kind, text }) => [kind, text])).toEqual([
    ['stderr', 'x'],
    ['event', 'it exited'],
    ['event', 'server removed'],
  ]);
  expect(state.lists).toBe(1);
  expect(
    batched(
      state,
      [],
      Array.from({ length: 1200 }, () => event),
    ).log,
  ).toHaveLength(1000);
});

it('an overview has its time, and the history of calls goes on with it', () => {
  const first = next(EMPTY, { type: 'overview', overview: overview(10, 100), asOf: 7 });
  const second = next(first, { type: 'overview', overview: overview(12, 300), asOf: 9 });
  expect([first.asOf, first.rate, second.asOf]).toEqual([7, 0, 9]);
  expect(second.history.calls.get('\ns')?.at(-1)).toBe(200);
  expect(second.rate).toBeGreaterThan(0);
});
