import { expect, it } from 'vitest';

import { heldHeapBytes } from '@mcpmux/testing/held-memory';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { KeyedBuckets, MAX_BUCKETS } from './keyed-buckets.js';

const RATE = { burst: 1, perSecond: 1 };

it('I19: many times as many callers take no more memory than those that are remembered', () => {
  const buckets = new KeyedBuckets(RATE, new ManualClock());
  for (let caller = 0; caller < MAX_BUCKETS; caller += 1) buckets.take(`caller ${caller}`);
  const before = heldHeapBytes();
  for (let caller = 0; caller < 20 * MAX_BUCKETS; caller += 1) buckets.take(`further caller ${caller}`);
  expect(buckets.size).toBe(MAX_BUCKETS);
  expect(heldHeapBytes() - before).toBeLessThan(20_000_000);
});

it('I19: whoever calls all the time is not forgotten for those who come once', () => {
  const buckets = new KeyedBuckets(RATE, new ManualClock(), 100);
  expect(buckets.take('busy')).toBe(0);
  for (let caller = 0; caller < 1000; caller += 1) {
    buckets.take(`caller ${caller}`);
    expect(buckets.take('busy')).toBe(1000);
  }
});
