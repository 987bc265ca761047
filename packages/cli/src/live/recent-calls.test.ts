import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { RecentCalls } from './recent-calls.js';

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

const A = { server: 'a', tool: 't' };

function ended(call: number, more: object = {}) {
  return { ...A, call, ms: 10, ending: 'result', ...more } as const;
}

it('a call has its beginning, its end and its reason', () => {
  let now = 1000;
  const recent = new RecentCalls(() => now);
  recent.recordStart({ ...A, call: 1, layer: 'session 1' });
  recent.recordStart({ ...A, call: 2 });
  now = 1010;
  recent.recordEnd(ended(1, { layer: 'session 1', problem: 'it broke' }));
  expect(recent.list()).toEqual([
    {
      ...A,
      call: 1,
      time: 1000,
      layer: 'session 1',
      ms: 10,
      ending: 'result',
      problem: 'it broke',
      hasContent: false,
    },
    { ...A, call: 2, time: 1000, hasContent: false },
  ]);
});

it('the last 500 calls remain, and the last 100 failed ones before them', () => {
  const recent = new RecentCalls();
  for (let call = 1; call <= 1000; call += 1) {
    vi.advanceTimersByTime(20);
    recent.recordStart({ ...A, call });
    recent.recordEnd(ended(call, call <= 200 ? { ending: 'error' } : {}));
  }
  const calls = recent.list().map(({ call }) => call);
  expect(calls).toHaveLength(600);
  expect([calls[0], calls[99], calls[100], calls.at(-1)]).toEqual([101, 200, 501, 1000]);
});

it('a call that fails after it has given way to others is listed from its end', () => {
  const recent = new RecentCalls();
  for (let call = 1; call <= 600; call += 1) {
    recent.recordStart({ ...A, call });
    vi.advanceTimersByTime(20);
  }
  recent.recordEnd(ended(1, { ending: 'failed', ms: 400 }));
  recent.recordEnd(ended(2));
  expect(recent.list()[0]).toMatchObject({ call: 1, time: 11_600, ending: 'failed' });
  expect(recent.list()).toHaveLength(501);
});

it('a cancelled call has not failed, and calls from more than an hour ago are gone', () => {
  let now = 0;
  const recent = new RecentCalls(() => now);
  recent.recordStart({ ...A, call: 1 });
  recent.recordEnd(ended(1, { ending: 'cancelled' }));
  expect(recent.list()).toHaveLength(1);
  now = 3_600_001;
  expect(recent.list()).toEqual([]);
});

it('of a flood, 50 calls a second are stored, and all failed ones', () => {
  const recent = new RecentCalls();
  for (let call = 1; call <= 900; call += 1) {
    if (call === 601) vi.advanceTimersByTime(1000);
    recent.recordStart({ ...A, call });
    recent.recordEnd(ended(call, call === 300 ? { ending: 'error' } : {}));
  }
  const calls = recent.list().map(({ call }) => call);
  expect(calls).toHaveLength(101);
  expect([calls[0], calls[49], calls[50], calls[51], calls.at(-1)]).toEqual([1, 50, 300, 601, 650]);
});
