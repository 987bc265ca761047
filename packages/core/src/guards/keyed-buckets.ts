import { LRUCache } from 'lru-cache';
import type { Clock } from '@mcpmux/kit';

import { TokenBucket, type TokenRate } from '../server/link/token-bucket.js';

/**
 * Maximum number of callers with their own bucket. The caller that was idle longest is evicted, and restarts with a
 * full bucket.
 */
export const MAX_BUCKETS = 10_000;

/** A token bucket for each key, in bounded memory and without timers. A bucket is refilled when it is accessed. */
export class KeyedBuckets {
  private readonly buckets: LRUCache<string, TokenBucket>;

  constructor(rate: TokenRate, clock: Pick<Clock, 'now'>, maxKeys = MAX_BUCKETS) {
    this.buckets = new LRUCache({ max: maxKeys, memoMethod: () => new TokenBucket(rate, clock) });
  }

  get size(): number {
    return this.buckets.size;
  }

  /** Takes a token of this key and returns 0. If no token is left, returns the milliseconds until the next token. */
  take(key: string): number {
    const bucket = this.buckets.memo(key);
    return bucket.take() ? 0 : bucket.msToNext;
  }
}
