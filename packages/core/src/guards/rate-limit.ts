import { type Clock, systemClock } from '@mcpmux/kit';
import { LRUCache } from 'lru-cache';
import type { Guard, GuardContext } from './guard.js';
import { perTargetSetting } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { countKey, guardOfCalls, type CountKey, type Target } from './targets.js';
import { TokenBucket, type TokenRate } from '../server/link/token-bucket.js';

/** Options of {@link rateLimit}: the permitted call rate, and the calls that it limits. */
export interface RateLimitOptions extends Target {
  /** Average number of calls per second. May be less than 1. */
  readonly perSecond: number;
  /** Number of calls that may arrive at once after a pause. When absent: `perSecond`, rounded up. */
  readonly burst?: number | undefined;
  /** Calls that differ in any of these properties use separate token buckets. When absent: `['principal']`. */
  readonly by?: readonly CountKey[] | undefined;
  /** Maximum number of separate buckets; 10,000 when absent. */
  readonly maxKeys?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Returns a guard that refuses calls above a rate. Each combination of the properties in `by` has a token bucket. */
export function rateLimit(options: RateLimitOptions): Guard {
  const { perSecond, burst = Math.max(1, Math.ceil(perSecond)), by = ['principal'] } = options;
  const buckets = new KeyedBuckets({ perSecond, burst }, options.clock ?? systemClock, options.maxKeys);
  return guardOfCalls(options, (context, next) => {
    const waitMs = buckets.take(countKey(context, by));
    if (waitMs > 0) throw refusal(context, by, waitMs);
    return next();
  });
}

/** The `guards.rateLimit` setting in a config. */
export const rateLimitSetting = perTargetSetting<RateLimitOptions>(
  'How often tools may be called.',
  ({ z, count, countedBy, optional }) => ({
    perSecond: z
      .number({ error: 'expected a number' })
      .check(z.positive({ error: 'expected a number above 0' })),
    burst: optional(count, 'Calls that may come at once after a pause.'),
    by: z.optional(countedBy),
  }),
  rateLimit,
);

function refusal(
  { principal, server, tool }: GuardContext,
  by: readonly CountKey[],
  waitMs: number,
): GuardRefusal {
  const seconds = Math.ceil(waitMs / 100) / 10;
  const what = [
    ...(by.includes('tool') && tool !== undefined ? [`tool ${JSON.stringify(tool)}`] : []),
    ...(by.includes('server') && server !== undefined ? [`server ${JSON.stringify(server)}`] : []),
    ...(by.includes('principal') ? [`caller ${JSON.stringify(principal.id)}`] : []),
  ].join(', ');
  return new GuardRefusal(
    `Too many calls (${what === '' ? 'all callers' : what}). Nothing was called. ` +
      `Wait ${seconds} s before the next call, and make fewer calls.`,
    { reason: 'rate-limited', data: { retryAfterMs: waitMs, ...(server !== undefined && { server }) } },
  );
}

/**
 * Default maximum number of buckets. Above it, the least recently used is evicted; its key restarts with a full bucket.
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

  /** Takes a token for this key and returns 0. If no token is left, returns the milliseconds until the next token. */
  take(key: string): number {
    const bucket = this.buckets.memo(key);
    return bucket.take() ? 0 : bucket.msToNext;
  }
}
