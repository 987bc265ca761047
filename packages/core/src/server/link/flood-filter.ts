import type { ConnectionComponents } from './calls.js';
import { TokenBucket } from './token-bucket.js';

/** Messages that do no harm when they are lost. No other messages are ever dropped. */
const FLOODABLE = ['notifications/message', 'notifications/progress'] as const;

/** Limits the log messages and the progress notifications of one server in each second. */
export class FloodFilter {
  /** How many were not let through. */
  dropped = 0;
  private readonly buckets: ReadonlyMap<string, TokenBucket>;
  /** Methods of which too much comes, until a pause of a second. */
  private readonly flooded = new Set<string>();

  constructor(private readonly components: ConnectionComponents) {
    const perSecond = components.limits.maxNotificationsPerSecond;
    const rate = { burst: perSecond, perSecond };
    // One each: a flood of logs must not cost anybody the progress of a call.
    this.buckets = new Map(FLOODABLE.map((method) => [method, new TokenBucket(rate, components.clock)]));
  }

  /** True if a notification is forwarded. */
  admits(method: string): boolean {
    const bucket = this.buckets.get(method);
    if (bucket === undefined) return true;
    if (bucket.isFull) this.flooded.delete(method);
    if (bucket.take()) return true;
    this.dropped += 1;
    if (!this.flooded.has(method)) this.warn(method);
    this.flooded.add(method);
    return false;
  }

  private warn(method: string): void {
    const { logger, server, limits } = this.components;
    const message = 'a server floods its clients; messages above the rate are dropped and counted';
    logger.log('warn', message, { server, method, perSecond: limits.maxNotificationsPerSecond });
  }
}
