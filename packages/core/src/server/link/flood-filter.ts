import type { ConnectionComponents } from './calls.js';
import { TokenBucket } from './token-bucket.js';

/** The methods whose notifications the filter may drop, because clients can do without them. */
const FLOOD_METHODS = ['notifications/message', 'notifications/progress'] as const;

/** Limits how many log messages and progress notifications one server may send per second. */
export class FloodFilter {
  droppedCount = 0;
  private readonly buckets: ReadonlyMap<string, TokenBucket>;
  /**
   * The methods above the rate limit, so that each flood logs one warning. A flood ends when the bucket is full again.
   */
  private readonly floodingMethods = new Set<string>();

  constructor(private readonly components: ConnectionComponents) {
    const perSecond = components.limits.maxNotificationsPerSecond;
    const rate = { burst: perSecond, perSecond };
    // Each method has its own bucket, so that a flood of log messages does not suppress the progress of calls.
    this.buckets = new Map(FLOOD_METHODS.map((method) => [method, new TokenBucket(rate, components.clock)]));
  }

  /** Counts a notification against its method's limit. Returns false if the caller must drop the notification. */
  admits(method: string): boolean {
    const bucket = this.buckets.get(method);
    if (bucket === undefined) return true;
    if (bucket.isFull) this.floodingMethods.delete(method);
    if (bucket.take()) return true;
    this.droppedCount += 1;
    if (!this.floodingMethods.has(method)) this.warn(method);
    this.floodingMethods.add(method);
    return false;
  }

  private warn(method: string): void {
    const { logger, server, limits } = this.components;
    const message = 'a server floods its clients; messages above the rate are dropped and counted';
    logger.log('warn', message, { server, method, perSecond: limits.maxNotificationsPerSecond });
  }
}
