import { describe, expect, it } from 'vitest';

import { EventStore } from './event-store.js';
import { STANDALONE_STREAM_ID } from './loss-notice.js';

const LIMITS = { maxEvents: 3, maxEventBytes: 10_000, maxEventAgeMs: 1000 };

function numbered(text: string | number): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method: String(text) })}\n`);
}

function replayed(store: EventStore, lastEventId: string): readonly string[] {
  return store
    .eventsAfter(lastEventId)
    .map(({ line }) => (JSON.parse(line.toString()) as { method: string }).method);
}

describe('EventStore', () => {
  it('replays what came after an event on the same stream, and nothing of others', () => {
    const store = new EventStore(LIMITS, () => 0);
    const first = store.add('a', numbered(1));
    store.add('b', numbered(2));
    store.add('a', numbered(3));
    expect(replayed(store, first)).toEqual(['3']);
    expect(store.streamIdOf(first)).toBe('a');
  });

  it.each([
    ['number', { ...LIMITS, maxEvents: 2 }, 0],
    ['bytes', { ...LIMITS, maxEventBytes: 70 }, 0],
    ['age', LIMITS, 600],
  ])('I9: forgets the oldest above its bound of %s, and says that something was lost', (_, limits, step) => {
    let now = 0;
    const store = new EventStore(limits, () => now);
    const seen = store.add('a', numbered(1));
    for (const text of [2, 3, 4]) {
      now += step;
      store.add('a', numbered(text));
    }
    const [notice, ...rest] = replayed(store, seen);
    expect(notice).toBe('notifications/message');
    expect(rest).toEqual(['3', '4']);
  });

  it('a loss on the stream of no request is followed by word that all lists may have changed', () => {
    const store = new EventStore({ ...LIMITS, maxEvents: 1 }, () => 0);
    const seen = store.add(STANDALONE_STREAM_ID, numbered(1));
    store.add(STANDALONE_STREAM_ID, numbered(2));
    store.add(STANDALONE_STREAM_ID, numbered(3));
    expect(replayed(store, seen)).toEqual([
      'notifications/message',
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      '3',
    ]);
  });

  it('what the client has seen is no loss when it is forgotten', () => {
    const store = new EventStore({ ...LIMITS, maxEvents: 1 }, () => 0);
    store.add('a', numbered(1));
    const seen = store.add('a', numbered(2));
    store.add('a', numbered(3));
    expect(replayed(store, seen)).toEqual(['3']);
  });

  it('an event that is larger than the store is a loss, not a leak', () => {
    const store = new EventStore({ ...LIMITS, maxEventBytes: 10 }, () => 0);
    const seen = store.add('a', numbered(1));
    store.add('a', numbered(2));
    expect(replayed(store, seen)).toEqual(['notifications/message']);
  });

  it('the empty message that a stream begins with is never replayed', () => {
    const store = new EventStore(LIMITS, () => 0);
    const priming = store.issueId('a');
    store.issueId('a');
    store.add('a', numbered(1));
    expect(replayed(store, priming)).toEqual(['1']);
  });

  it('I9: knows no event of another session and none that it has not given out', () => {
    const [one, two] = [new EventStore(LIMITS, () => 0), new EventStore(LIMITS, () => 0)];
    const id = one.add('a', numbered(1));
    expect(two.streamIdOf(id)).toBeUndefined();
    for (const text of ['', 'x', `${id}0`, `${id}.1`, id.replace(/1$/, '-1')]) {
      expect(one.streamIdOf(text)).toBeUndefined();
    }
    expect(() => replayed(two, id)).toThrow('no stream of this session');
  });
});
