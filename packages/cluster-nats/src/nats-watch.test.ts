import type { KV, KvWatchEntry } from '@nats-io/kv';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { NatsWatch } from './nats-watch.js';

type Entry = Pick<KvWatchEntry, 'key' | 'revision'>;

/** A watch of the client of NATS that delivers what a test says. */
class Changes {
  private readonly waiting: Entry[] = [];
  private wake: (() => void) | undefined;
  isStopped = false;

  deliver(...entries: readonly Entry[]): void {
    this.waiting.push(...entries);
    this.wake?.();
  }

  stop(): void {
    this.isStopped = true;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<object> {
    for (;;) {
      const entry = this.waiting.shift();
      if (entry !== undefined) yield { operation: 'PUT', value: Buffer.of(1), delta: 0, ...entry };
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

/** A bucket, of which a test says how far it is. */
class Values {
  last = 0;
  readonly watches: Changes[] = [];
  readonly options: unknown[] = [];
  /** How many of the next requests no server answers. */
  silent = 0;

  status(): Promise<object> {
    if (this.isSilent()) return Promise.reject(new Error('timeout'));
    return Promise.resolve({ values: 0, streamInfo: { state: { last_seq: this.last } } });
  }

  watch(options?: object): Promise<Changes> {
    if (this.isSilent()) return Promise.reject(new Error('timeout'));
    const changes = new Changes();
    this.watches.push(changes);
    this.options.push(options);
    return Promise.resolve(changes);
  }

  private isSilent(): boolean {
    this.silent -= 1;
    return this.silent >= 0;
  }
}

async function watching() {
  const values = new Values();
  const reported: string[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that a watch uses
  const watch = new NatsWatch(values as unknown as KV, ({ key, revision }) =>
    reported.push(`${key}${revision}`),
  );
  await watch.start();
  return { values, reported, watch };
}

describe('a watch of a bucket', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('that delivers what its bucket has stays as it is', async () => {
    const { values, reported, watch } = await watching();
    values.last = 2;
    values.watches[0]?.deliver({ key: 'a', revision: 1 }, { key: 'b', revision: 2 });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(values.watches).toHaveLength(1);
    expect(reported).toEqual(['a1', 'b2']);
    watch.stop();
  });

  it('that misses a change for three seconds goes on behind the last one', async () => {
    const { values, reported, watch } = await watching();
    values.watches[0]?.deliver({ key: 'a', revision: 1 });
    values.last = 2;
    await vi.advanceTimersByTimeAsync(6000);
    expect(values.options.at(-1)).toEqual({ resumeFromRevision: 2 });
    values.watches[1]?.deliver({ key: 'b', revision: 2 });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reported).toEqual(['a1', 'b2']);
    expect(values.watches.map(({ isStopped }) => isStopped)).toEqual([true, false]);
    watch.stop();
  });

  it('asks again at once while no server answers', async () => {
    const { values, watch } = await watching();
    values.last = 1;
    values.silent = 3;
    // The three checks without an answer, and the one that learns of the change.
    await vi.advanceTimersByTimeAsync(3000 + 3 * 500);
    values.silent = 2;
    // The two requests for another watch without an answer, and the one with an answer.
    await vi.advanceTimersByTimeAsync(3000 + 2 * 500);
    expect(values.options).toEqual([undefined, { resumeFromRevision: 1 }]);
    watch.stop();
  });

  it('of a copy that is ahead of the one that leads reports all keys again, in the revisions of the leader', async () => {
    const { values, reported, watch } = await watching();
    values.last = 118;
    values.watches[0]?.deliver({ key: 'a', revision: 127 });
    await vi.advanceTimersByTimeAsync(3000);
    expect(values.options.at(-1)).toEqual({});
    // Later keys from the former watch are ignored.
    values.watches[0]?.deliver({ key: 'a', revision: 128 });
    values.watches[1]?.deliver({ key: 'a', revision: 110 }, { key: 'b', revision: 118 });
    await vi.advanceTimersByTimeAsync(0);
    expect(reported).toEqual(['a127', 'a110', 'b118']);
    watch.stop();
  });

  it('reports a change within five minutes that passed over because a copy was ahead', async () => {
    const { values, reported, watch } = await watching();
    values.watches[0]?.deliver({ key: 'a', revision: 127 });
    // The leader has passed the copy that was ahead: its own change 127 counts as reported.
    values.last = 128;
    values.watches[0]?.deliver({ key: 'b', revision: 127 }, { key: 'c', revision: 128 });
    await vi.advanceTimersByTimeAsync(299_000);
    expect(reported).toEqual(['a127', 'c128']);
    await vi.advanceTimersByTimeAsync(2000);
    expect(values.options.at(-1)).toEqual({});
    values.watches[1]?.deliver(
      { key: 'a', revision: 120 },
      { key: 'b', revision: 127 },
      { key: 'c', revision: 128 },
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(reported.slice(2)).toEqual(['a120', 'b127', 'c128']);
    watch.stop();
  });

  it('reports all keys again although a change comes while another watch is asked for', async () => {
    const { values, reported, watch } = await watching();
    values.watches[0]?.deliver({ key: 'a', revision: 1 });
    // The change to b is lost.
    values.watches[0]?.deliver({ key: 'c', revision: 3 });
    values.last = 3;
    const asked = values.watch.bind(values);
    values.watch = async (options) => {
      values.watches[0]?.deliver({ key: 'd', revision: 4 });
      values.last = 4;
      // The former watch delivers in the meantime.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return asked(options);
    };
    await vi.advanceTimersByTimeAsync(301_000);
    values.watches[1]?.deliver(
      { key: 'a', revision: 1 },
      { key: 'b', revision: 2 },
      { key: 'c', revision: 3 },
      { key: 'd', revision: 4 },
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(reported).toEqual(['a1', 'c3', 'd4', 'a1', 'b2', 'c3', 'd4']);
    watch.stop();
  });

  it('whose copies differ for long starts again less and less often', async () => {
    const { values, watch } = await watching();
    values.last = 1;
    const hour = 3_600_000;
    for (let time = 0; time < hour; time += 1000) {
      values.watches.at(-1)?.deliver({ key: 'a', revision: 10 });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(values.watches.length).toBeGreaterThan(50);
    expect(values.watches.length).toBeLessThan(70);
    watch.stop();
    await vi.advanceTimersByTimeAsync(hour);
    expect(values.watches.at(-1)?.isStopped).toBe(true);
  });
});
