import type { RememberedLists } from '@mcpmux/core';
import { nullLogger } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { describe, expect, it } from 'vitest';

import { Catalogs } from './catalogs.js';
import type { Bucket } from './cluster.js';
import { MemoryNetwork } from './memory-network.js';

const SPEC = { command: 'a-program' };
const TOOL = '{"name":"echo","inputSchema":{"type":"object"}}';

/** The catalogs of a node, and what it writes. */
async function catalogs(
  lists: Record<string, RememberedLists>,
  bucketOf = (bucket: Bucket): Bucket => bucket,
) {
  const clock = new ManualClock();
  const bucket = await new MemoryNetwork().join().bucket('catalogs');
  let writes = 0;
  await bucket.watch(() => (writes += 1));
  const own = new Map(Object.keys(lists).map((name) => [name, SPEC]));
  const made = new Catalogs({
    openBucket: () => Promise.resolve(bucketOf(bucket)),
    ownSpecs: () => own,
    currentLists: (server) => lists[server],
    clock,
    logger: nullLogger,
  });
  /** Lets the time of a write pass. */
  const written = (): Promise<number> => pass(2000);
  const pass = async (ms: number): Promise<number> => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
    return writes;
  };
  return { made, bucket, lists, written, pass, clock };
}

describe('the lists of servers in a cluster', () => {
  it('are written once in two seconds, and only when they have changed', async () => {
    const { made, lists, written } = await catalogs({ echo: { tools: [TOOL] } });
    for (let count = 0; count < 5; count += 1) made.listsChanged();
    expect(await written()).toBe(1);
    made.listsChanged();
    expect(await written()).toBe(1);
    lists['echo'] = { tools: [] };
    made.listsChanged();
    expect(await written()).toBe(2);
    expect(await made.read('echo', SPEC)).toEqual({});
  });

  it('are read for the same spec alone', async () => {
    const { made, written } = await catalogs({ echo: { tools: [TOOL], uses: { echo: 7 } } });
    made.listsChanged();
    await written();
    expect(await made.read('echo', { ...SPEC })).toEqual({ tools: [TOOL] });
    expect(await made.read('echo', { command: 'another-program' })).toBeUndefined();
    expect(await made.read('unknown', SPEC)).toBeUndefined();
  });

  it('stay out of the cluster when they are too long for a message', async () => {
    const { made, written, clock } = await catalogs({
      large: { tools: ['x'.repeat(600_000)] },
      echo: { tools: [TOOL] },
    });
    made.listsChanged();
    expect(await written()).toBe(1);
    expect(await made.read('large', SPEC)).toBeUndefined();
    expect(clock.timerCount).toBe(0);
  });

  it('are not written once the node has left', async () => {
    const { made, clock, pass } = await catalogs({ echo: { tools: [TOOL] } }, (bucket) => ({
      ...bucket,
      get: () => Promise.reject(new Error('gone')),
    }));
    made.listsChanged();
    clock.advance(2000);
    made.close();
    await pass(0);
    expect(clock.timerCount).toBe(0);
  });

  it.each(['', 'no JSON', '[]', '{"spec":1}', '{"lists":7}'])(
    'are unknown for the record %j',
    async (text) => {
      const { made, bucket } = await catalogs({});
      await bucket.create('echo', Buffer.from(text));
      expect(await made.read('echo', SPEC)).toBeUndefined();
    },
  );

  it('are unknown while the cluster does not answer, and written later', async () => {
    let isGone = true;
    const gone = (): Promise<never> => Promise.reject(new Error('gone'));
    const { made, written, pass, clock } = await catalogs({ echo: { tools: [TOOL] } }, (bucket) => ({
      ...bucket,
      get: (key) => (isGone ? gone() : bucket.get(key)),
    }));
    expect(await made.read('echo', SPEC)).toBeUndefined();
    made.listsChanged();
    expect(await written()).toBe(0);
    expect(await written()).toBe(0);
    isGone = false;
    expect(await pass(10_000)).toBe(1);
    expect(clock.timerCount).toBe(0);
  });
});
