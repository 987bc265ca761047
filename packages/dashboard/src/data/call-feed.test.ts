import type { MuxEventMap } from '@mcpmux/core';
import { expect, it } from 'vitest';

import { CallFeed } from './call-feed.js';

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

  began(call: number, content?: string): void {
    const event: MuxEventMap['call:start'] = {
      call,
      server: 's',
      tool: 't',
      session: 1,
      ...(content && { arguments: content }),
    };
    this.heard.get('call:start')?.(event as never);
  }

  beganUntold(call: number): void {
    this.heard.get('call:start')?.({ call, server: 's', tool: 't' } as never);
  }

  ended(call: number, result?: string): void {
    const ending = { ms: 1, ending: 'result', ...(result && { result }) } as const;
    this.heard.get('call:end')?.({ call, server: 's', tool: 't', ...ending } as never);
  }
}

function feedOf(calls: Calls): CallFeed {
  return new CallFeed(calls.mux as never, () => 0);
}

it('nobody listens to calls while no page is open', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  expect(calls.listeners).toBe(0);
  const [leave, leaveToo] = [feed.open(), feed.open()];
  expect(calls.listeners).toBe(2);
  leave();
  leave();
  expect(calls.listeners).toBe(2);
  leaveToo();
  expect(calls.listeners).toBe(0);
});

it('a page gets what has changed since the last time, at most 100 calls, the newest', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.open();
  for (let call = 1; call <= 150; call += 1) calls.began(call);
  const first = feed.since(0);
  expect(first.calls.map(({ call }) => call)).toEqual(Array.from({ length: 100 }, (_, index) => index + 51));
  calls.ended(120);
  expect(feed.since(first.change).calls).toMatchObject([{ call: 120, ending: 'result' }]);
});

it('a call of which the mux tells no session is not listed', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.open();
  calls.began(1);
  calls.beganUntold(2);
  calls.ended(2);
  expect(feed.since(0).calls).toMatchObject([{ call: 1 }]);
});

it('the number of calls and the characters of their content are bounded', () => {
  const calls = new Calls();
  const feed = feedOf(calls);
  feed.open();
  const text = 'x'.repeat(16_384);
  for (let call = 1; call <= 600; call += 1) {
    calls.began(call, text);
    calls.ended(call, text);
  }
  const stored = Array.from({ length: 600 }, (_, index) => feed.contentOf(index + 1)).filter(Boolean);
  expect(stored).toHaveLength((4 * 1024 * 1024) / 16_384 / 2);
  expect(feed.contentOf(600)).toEqual({ arguments: text, result: text });
  expect(feed.since(0).calls.at(-1)).toMatchObject({ call: 600, hasContent: true });
});
