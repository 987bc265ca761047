import type { MuxEventMap } from '@mcpmux/core';
import { afterEach, expect, it, vi } from 'vitest';

import { CallFeed } from './call-feed.js';
import type { CallRecord } from './call-record.js';
import { formatPosition } from './feed-position.js';

/** Stands in for the events of a mux. */
class Calls {
  listeners = 0;
  private readonly heard = new Map<string, (event: never) => void>();
  readonly mux = {
    on: (type: string, listener: (event: never) => void): (() => void) => {
      this.heard.set(type, listener);
      this.listeners += 1;
      return () => (this.listeners -= 1);
    },
  };

  began(call: number, content?: string, more: object = {}): void {
    const event: MuxEventMap['call:start'] = {
      call,
      server: 's',
      tool: 't',
      session: 1,
      ...(content && { arguments: content }),
      ...more,
    };
    this.heard.get('call:start')?.(event as never);
  }

  beganUnreported(call: number): void {
    this.heard.get('call:start')?.({ call, server: 's', tool: 't' } as never);
  }

  ended(call: number, result?: string, more: object = {}): void {
    const ending = { ms: 1, ending: 'result', ...(result && { result }), ...more } as const;
    this.heard.get('call:end')?.({ call, server: 's', tool: 't', ...ending } as never);
  }
}

function feedOf(calls: Calls, recent?: () => readonly CallRecord[]): CallFeed {
  return new CallFeed(calls.mux as never, () => 0, recent);
}

function past(call: number, ending = 'result'): CallRecord {
  return { call, time: 0, server: 's', tool: 't', ms: 1, ending, hasContent: false };
}

afterEach(() => {
  vi.useRealTimers();
});

it('nobody listens to calls when no page has been open for a minute', () => {
  vi.useFakeTimers();
  const calls = new Calls();
  const feed = feedOf(calls);
  expect(calls.listeners).toBe(0);
  const [leave, leaveToo] = [feed.openPage(), feed.openPage()];
  expect(calls.listeners).toBe(2);
  leave();
  leave();
  vi.advanceTimersByTime(60_000);
  expect(calls.listeners).toBe(2);
  leaveToo();
  vi.advanceTimersByTime(59_999);
  expect(calls.listeners).toBe(2);
  vi.advanceTimersByTime(1);
  expect(calls.listeners).toBe(0);
});

it('a page that is loaded again gets the ends of the calls that were in flight', () => {
  vi.useFakeTimers();
  const calls = new Calls();
  const feed = feedOf(calls);
  const leave = feed.openPage();
  calls.began(1);
  leave();
  calls.ended(1);
  vi.advanceTimersByTime(30_000);
  feed.openPage();
  vi.advanceTimersByTime(60_000);
  expect(calls.listeners).toBe(2);
  expect(feed.changesSince(feed.startPosition).calls).toMatchObject([{ call: 1, ending: 'result' }]);
});

it('a call that was in flight when nobody listened any more is not in flight for ever', () => {
  vi.useFakeTimers();
  const calls = new Calls();
  const feed = feedOf(calls);
  const leave = feed.openPage();
  calls.began(1);
  calls.began(2);
  leave();
  vi.advanceTimersByTime(60_000);
  feed.openPage();
  calls.ended(2);
  expect(feed.changesSince(feed.startPosition).calls).toMatchObject([
    { ending: 'unknown' },
    { ending: 'result' },
  ]);
});

it('a page gets what has changed since the last time, at most 100 calls at once, and none is left out', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.openPage();
  for (let call = 1; call <= 150; call += 1) calls.began(call);
  const first = feed.changesSince(feed.startPosition);
  expect(first.calls.map(({ call }) => call)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  const second = feed.changesSince(first.position);
  expect(second.calls.map(({ call }) => call)).toEqual(Array.from({ length: 50 }, (_, index) => index + 101));
  calls.ended(120);
  expect(feed.changesSince(second.position)).toMatchObject({
    calls: [{ call: 120, ending: 'result' }],
    isLost: false,
  });
});

it('a page that was cut off gets what has changed since, and no more', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.openPage();
  calls.began(1);
  calls.began(2);
  calls.ended(1);
  const place = formatPosition(feed.changesSince(feed.startPosition).position);
  calls.ended(2);
  calls.beganUnreported(3);
  const resumed = feed.changesSince(feed.positionOf(place));
  expect(resumed).toMatchObject({ calls: [{ call: 2, ending: 'result' }], unlisted: 1, isLost: false });
});

it.each(['', '1', '1.2', '1.2.x', '999.0.0', '0.999.0'])(
  'a place that the feed does not know (%j) is the beginning',
  (place) => {
    const feed = feedOf(new Calls());
    expect(feed.positionOf(place)).toEqual(feed.startPosition);
  },
);

it('a page that was cut off for too many calls is told of the loss once, and gets all records again', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.openPage();
  calls.began(1);
  const place = formatPosition(feed.changesSince(feed.startPosition).position);
  for (let call = 2; call <= 700; call += 1) {
    calls.began(call);
    calls.ended(call);
  }
  let resumed = feed.changesSince(feed.positionOf(place));
  expect(resumed).toMatchObject({ isLost: true });
  const got = [...resumed.calls];
  for (let flush = 0; flush < 4; flush += 1) {
    resumed = feed.changesSince(resumed.position);
    expect(resumed.isLost).toBe(false);
    got.push(...resumed.calls);
  }
  expect(got.map(({ call }) => call)).toEqual(Array.from({ length: 500 }, (_, index) => index + 201));
});

it('a page that was cut off for longer than a minute is told of the loss; a new one is not', () => {
  vi.useFakeTimers();
  const calls = new Calls();
  const feed = feedOf(calls);
  const leave = feed.openPage();
  calls.began(1);
  const place = formatPosition(feed.changesSince(feed.startPosition).position);
  leave();
  vi.advanceTimersByTime(60_000);
  feed.openPage();
  expect(feed.changesSince(feed.positionOf(place))).toMatchObject({
    isLost: true,
    calls: [{ ending: 'unknown' }],
  });
  expect(feed.changesSince(feed.startPosition)).toMatchObject({ isLost: false });
});

it('a page lists the calls from before it was opened, and no earlier ones as missing', () => {
  const feed = feedOf(new Calls(), () => [past(8, 'error'), past(9)]);
  feed.openPage();
  expect(feed.changesSince(feed.startPosition)).toMatchObject({
    calls: [
      { call: 8, ending: 'error', hasContent: false },
      { call: 9, ending: 'result' },
    ],
    unlisted: 0,
  });
});

it('calls of earlier processes come first, once, and none is missing between them', () => {
  vi.useFakeTimers();
  const calls = new Calls();
  const feed = feedOf(calls, () => [past(-2), past(-1)]);
  const leave = feed.openPage();
  leave();
  vi.advanceTimersByTime(60_000);
  feed.openPage();
  calls.began(1);
  const { calls: listed, unlisted } = feed.changesSince(feed.startPosition);
  expect(listed.map(({ call }) => call)).toEqual([-2, -1, 1]);
  expect(unlisted).toBe(0);
});

it('a page that was cut off for longer than a minute gets the calls since, and the number of the missing ones', () => {
  vi.useFakeTimers();
  const calls = new Calls();
  let recent: readonly CallRecord[] = [];
  const feed = feedOf(calls, () => recent);
  const leave = feed.openPage();
  calls.began(1);
  calls.began(2);
  const place = formatPosition(feed.changesSince(feed.startPosition).position);
  leave();
  vi.advanceTimersByTime(60_000);
  recent = [past(2, 'error'), past(7), past(8)];
  feed.openPage();
  expect(feed.changesSince(feed.positionOf(place))).toEqual(
    expect.objectContaining({
      calls: [
        expect.objectContaining({ call: 1, ending: 'unknown' }),
        expect.objectContaining({ call: 2, ending: 'error' }),
        past(7),
        past(8),
      ],
      unlisted: 4,
      isLost: false,
    }),
  );
});

it('the last failed calls and their content remain while later calls succeed', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.openPage();
  calls.began(1, 'a');
  calls.ended(1, 'b', { ending: 'error', problem: 'it broke' });
  for (let call = 2; call <= 700; call += 1) {
    calls.began(call);
    calls.ended(call);
  }
  expect(feed.contentOf(1)).toEqual({ arguments: 'a', result: 'b' });
  expect(feed.changesSince(feed.startPosition).calls.map(({ call }) => call)).toContain(1);
});

it('a page that has got every call is told of no loss when the oldest give way', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.openPage();
  let { position } = feed.changesSince(feed.startPosition);
  for (let call = 1; call <= 900; call += 1) {
    calls.began(call);
    calls.ended(call);
    const news = feed.changesSince(position);
    expect(news.isLost).toBe(false);
    ({ position } = news);
  }
});

it('a call of which the mux tells no session is counted and not listed', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.openPage();
  const { startPosition } = feed;
  calls.began(1);
  calls.beganUnreported(2);
  calls.ended(2);
  const first = feed.changesSince(startPosition);
  expect(first).toMatchObject({ calls: [{ call: 1 }], unlisted: 1 });
  calls.beganUnreported(3);
  expect(feed.changesSince(first.position)).toMatchObject({ calls: [], unlisted: 1 });
});

it('the content of a call tells the sizes of what was cut, and nothing of what is whole', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.openPage();
  calls.began(1, 'a', { argumentsBytes: 70_000 });
  calls.ended(1, 'b');
  calls.began(2, 'a');
  calls.ended(2, 'b', { resultBytes: 80_000 });
  expect([1, 2].map((call) => feed.contentOf(call))).toEqual([
    { arguments: 'a', argumentsBytes: 70_000, result: 'b' },
    { arguments: 'a', result: 'b', resultBytes: 80_000 },
  ]);
});

it('the number of calls and the characters of their content are bounded', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.openPage();
  const text = 'x'.repeat(16_384);
  for (let call = 1; call <= 600; call += 1) {
    calls.began(call, text);
    calls.ended(call, text);
  }
  const stored = Array.from({ length: 600 }, (_, index) => feed.contentOf(index + 1)).filter(Boolean);
  expect(stored).toHaveLength((4 * 1024 * 1024) / 16_384 / 2);
  expect(feed.contentOf(600)).toEqual({ arguments: text, result: text });
  const last = { change: 1199, unlisted: 0, loss: feed.startPosition.loss };
  expect(feed.changesSince(last).calls).toMatchObject([{ call: 600, hasContent: true }]);
});
