import { LRUCache } from 'lru-cache';
import type { Clock } from '@mcpmux/kit';

import { TokenBucket, type TokenRate } from '../server/link/token-bucket.js';

/** Callers that are told apart; whoever was not seen for longest is forgotten, and begins with a full bucket. */
export const MAX_BUCKETS = 10_000;

/** A bucket of tokens for each key, in bounded memory and without timers: a bucket is filled when it is looked at. */
export class KeyedBuckets {
  private readonly buckets: LRUCache<string, TokenBucket>;

  constructor(rate: TokenRate, clock: Pick<Clock, 'now'>, maxKeys = MAX_BUCKETS) {
    this.buckets = new LRUCache({ max: maxKeys, memoMethod: () => new TokenBucket(rate, clock) });
  }

  get size(): number {
    return this.buckets.size;
  }

  /** Takes a token of this key. Returns in how many milliseconds there will be one, when there is none; otherwise 0. */
  take(key: string): number {
    const bucket = this.buckets.memo(key);
    return bucket.take() ? 0 : bucket.msToNext;
  }
}
