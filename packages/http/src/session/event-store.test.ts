import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';

import { BoundedEventStore } from './event-store.js';
import { STANDALONE_STREAM } from './loss-notice.js';

const LIMITS = { maxEvents: 3, maxEventBytes: 10_000, maxEventAgeMs: 1000 };

function numbered(text: string | number): JSONRPCMessage {
  return { jsonrpc: '2.0', method: String(text) };
}

async function replayed(store: BoundedEventStore, lastEventId: string): Promise<readonly string[]> {
  const methods: string[] = [];
  await store.replayEventsAfter(lastEventId, {
    send: (_, message) => {
      methods.push('method' in message ? message.method : 'answer');
      return Promise.resolve();
    },
  });
  return methods;
}

describe('BoundedEventStore', () => {
  it('replays what came after an event on the same stream, and nothing of others', async () => {
    const store = new BoundedEventStore(LIMITS, () => 0);
    const first = await store.storeEvent('a', numbered(1));
    await store.storeEvent('b', numbered(2));
    await store.storeEvent('a', numbered(3));
    expect(await replayed(store, first)).toEqual(['3']);
    expect(store.streamOf(first)).toBe('a');
  });

  it.each([
    ['number', { ...LIMITS, maxEvents: 2 }, 0],
    ['bytes', { ...LIMITS, maxEventBytes: 70 }, 0],
    ['age', LIMITS, 600],
  ])(
    'I9: forgets the oldest above its bound of %s, and says that something was lost',
    async (_, limits, step) => {
      let now = 0;
      const store = new BoundedEventStore(limits, () => now);
      const seen = await store.storeEvent('a', numbered(1));
      for (const text of [2, 3, 4]) {
        now += step;
        await store.storeEvent('a', numbered(text));
      }
      const [notice, ...rest] = await replayed(store, seen);
      expect(notice).toBe('notifications/message');
      expect(rest).toEqual(['3', '4']);
    },
  );

  it('a loss on the stream of no request is followed by word that all lists may have changed', async () => {
    const store = new BoundedEventStore({ ...LIMITS, maxEvents: 1 }, () => 0);
    const seen = await store.storeEvent(STANDALONE_STREAM, numbered(1));
    await store.storeEvent(STANDALONE_STREAM, numbered(2));
    await store.storeEvent(STANDALONE_STREAM, numbered(3));
    expect(await replayed(store, seen)).toEqual([
      'notifications/message',
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      '3',
    ]);
  });

  it('what the client has seen is no loss when it is forgotten', async () => {
    const store = new BoundedEventStore({ ...LIMITS, maxEvents: 1 }, () => 0);
    await store.storeEvent('a', numbered(1));
    const seen = await store.storeEvent('a', numbered(2));
    await store.storeEvent('a', numbered(3));
    expect(await replayed(store, seen)).toEqual(['3']);
  });

  it('an event that is larger than the store is a loss, not a leak', async () => {
    const store = new BoundedEventStore({ ...LIMITS, maxEventBytes: 10 }, () => 0);
    const seen = await store.storeEvent('a', numbered(1));
    await store.storeEvent('a', numbered(2));
    expect(await replayed(store, seen)).toEqual(['notifications/message']);
  });

  it('the empty message that a stream begins with is never replayed', async () => {
    const store = new BoundedEventStore(LIMITS, () => 0);
    const priming = await store.storeEvent('a', {} as JSONRPCMessage);
    await store.storeEvent('a', {} as JSONRPCMessage);
    await store.storeEvent('a', numbered(1));
    expect(await replayed(store, priming)).toEqual(['1']);
  });

  it('I9: knows no event of another session and none that it has not given out', async () => {
    const [one, two] = [new BoundedEventStore(LIMITS, () => 0), new BoundedEventStore(LIMITS, () => 0)];
    const id = await one.storeEvent('a', numbered(1));
    expect(two.streamOf(id)).toBeUndefined();
    for (const text of ['', 'x', `${id}0`, `${id}.1`, id.replace(/1$/, '-1')]) {
      expect(one.streamOf(text)).toBeUndefined();
    }
    await expect(replayed(two, id)).rejects.toThrow('no stream of this session');
  });
});
