import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { TokenBucket } from './token-bucket.js';

describe('a token bucket', () => {
  it('gives a burst at once, and then its rate', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ burst: 3, perSecond: 2 }, clock);
    expect([1, 2, 3, 4].map(() => bucket.take())).toEqual([true, true, true, false]);
    clock.advance(499);
    expect(bucket.take()).toBe(false);
    clock.advance(1);
    expect([1, 2].map(() => bucket.take())).toEqual([true, false]);
  });

  it('is full again after a pause, and holds no more than a burst', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ burst: 2, perSecond: 1 }, clock);
    bucket.take();
    expect(bucket.isFull).toBe(false);
    clock.advance(60_000);
    expect(bucket.isFull).toBe(true);
    expect([1, 2, 3].map(() => bucket.take())).toEqual([true, true, false]);
  });

  it('says when a token that is reserved will be there', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ burst: 2, perSecond: 1 }, clock);
    expect([1, 2, 3, 4].map(() => bucket.reserve())).toEqual([0, 0, 1000, 2000]);
    clock.advance(500);
    expect(bucket.reserve()).toBe(2500);
  });

  it('never gives more in any time than its burst and its rate', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 200 }), (pauses) => {
        const clock = new ManualClock();
        const bucket = new TokenBucket({ burst: 5, perSecond: 10 }, clock);
        const taken = pauses.filter((pause) => {
          clock.advance(pause);
          return bucket.take();
        }).length;
        expect(taken).toBeLessThanOrEqual(5 + clock.now() / 100);
      }),
    );
  });
});
