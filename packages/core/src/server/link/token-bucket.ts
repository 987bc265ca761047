import type { Clock } from '@mcpmux/kit';

/** The capacity and the fill rate of a {@link TokenBucket}. */
export interface TokenRate {
  /** The number of tokens in a full bucket. */
  readonly burst: number;
  /** The number of tokens added per second. */
  readonly perSecond: number;
}

/** Limits the rate of events. The bucket is initially full. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly rate: TokenRate,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.tokens = rate.burst;
    this.filledAt = clock.now();
  }

  get isFull(): boolean {
    this.fill();
    return this.tokens >= this.rate.burst;
  }

  /** Takes a token. Returns false if none is available. */
  take(): boolean {
    this.fill();
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  /** The time until a token is available, in milliseconds; 0 if one is available now. */
  get msToNext(): number {
    this.fill();
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) / this.rate.perSecond) * 1000);
  }

  /**
   * Reserves the next token. Returns the time until it becomes available, in milliseconds; 0 if it already is. Each
   * call reserves a later token than the previous call.
   */
  reserve(): number {
    this.fill();
    this.tokens -= 1;
    return this.tokens >= 0 ? 0 : Math.ceil((-this.tokens / this.rate.perSecond) * 1000);
  }

  private fill(): void {
    const now = this.clock.now();
    const { burst, perSecond } = this.rate;
    this.tokens = Math.min(burst, this.tokens + ((now - this.filledAt) / 1000) * perSecond);
    this.filledAt = now;
  }
}
