import { expect, it } from 'vitest';

import { NO_HISTORY, rateOf, total, withOverview, type History } from './history.js';
import type { Overview } from '../src/data/overview-shown.js';

function overview(uptimeSeconds: number, counts: Readonly<Record<string, number>>, instance = 'i'): Overview {
  const servers = Object.entries(counts).map(([name, count]) => ({
    name,
    status: 'running' as const,
    tools: [],
    restarts: 0,
    dropped_lines: 0,
    calls: { count, failed: 0, running: 0 },
  }));
  const mcpmux = {
    version: '1',
    instance,
    lastEvent: 0,
    heartbeatMs: 1000,
    pid: 1,
    uptimeSeconds,
    memoryBytes: 0,
    rules: {},
    limits: {},
  };
  const rights = { mayManage: true, canEditConfig: true, canSearch: true };
  return { ...rights, mcpmux, servers, approvals: [], clients: [], config: [] };
}

function after(...overviews: readonly Overview[]): History {
  let history = NO_HISTORY;
  let before: Overview | undefined;
  for (const now of overviews) {
    history = withOverview(history, before, now);
    before = now;
  }
  return history;
}

it('calls from before the page was opened are not in the history', () => {
  expect(total(after(overview(100, { a: 900 })))).toEqual(Array.from({ length: 36 }, () => 0));
});

it('calls between two overviews are spread over the intervals between them', () => {
  const history = after(overview(98, { a: 10, b: 0 }), overview(108, { a: 30, b: 10 }));
  expect(history.calls.get('\na')?.slice(-4)).toEqual([0, 4, 10, 6]);
  expect(total(history).slice(-3)).toEqual([6, 15, 9]);
});

it('intervals without calls move the earlier ones, and the oldest go', () => {
  const calls = [overview(100, { a: 0 }), overview(105, { a: 5 })];
  expect(
    after(...calls, overview(120, { a: 5 }))
      .calls.get('\na')
      ?.slice(-5),
  ).toEqual([5, 0, 0, 0, 0]);
  expect(Math.max(...total(after(...calls, overview(900, { a: 5 }))))).toBe(0);
});

it('a server that is added begins with its calls, one that is gone is forgotten, and a count that falls is none', () => {
  const history = after(overview(100, { a: 9, b: 9 }), overview(104, { a: 3, c: 4 }));
  expect([...history.calls].map(([name, series]) => [name, series.at(-1)])).toEqual([
    ['\na', 0],
    ['\nc', 4],
  ]);
});

it('servers of the same name in different windows have histories of their own', () => {
  const at = (seconds: number, ...counts: readonly number[]): Overview => {
    const { servers, ...rest } = overview(seconds, Object.fromEntries(counts.entries()));
    return {
      ...rest,
      servers: servers.map((server) => Object.assign(server, { layer: `session ${server.name}`, name: 'x' })),
    };
  };
  const { calls } = after(at(100, 1, 10), at(104, 2, 40));
  expect([...calls].map(([key, series]) => [key, series.at(-1)])).toEqual([
    ['session 0\nx', 1],
    ['session 1\nx', 30],
  ]);
});

it('another mcpmux begins another history', () => {
  expect(after(overview(100, { a: 0 }), overview(105, { a: 9 }, 'other')).calls.size).toBe(0);
});

it('the rate is the mean of the last seconds', () => {
  const history = after(overview(100, { a: 0 }), overview(110, { a: 50 }), overview(112, { a: 60 }));
  expect(rateOf(history, 112)).toBeCloseTo(5);
  expect(rateOf(NO_HISTORY, 0)).toBe(0);
});

it('two overviews of the same time lose no call', () => {
  expect(total(after(overview(100, { a: 0 }), overview(100, { a: 2 }))).at(-1)).toBe(2);
});
