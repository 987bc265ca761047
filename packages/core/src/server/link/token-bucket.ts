import type { Clock } from '@mcpmux/kit';

/** The rate at which a {@link TokenBucket} fills. */
export interface TokenRate {
  /** The number of tokens in a full bucket. */
  readonly burst: number;
  /** The number of tokens added per second. */
  readonly perSecond: number;
}

/** Decides whether an event is within a rate. The bucket is full at the beginning. */
export class TokenBucket {
  private tokens: number;
  private at: number;

  constructor(
    private readonly rate: TokenRate,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.tokens = rate.burst;
    this.at = clock.now();
  }

  /** True if the bucket is full again. */
  get isFull(): boolean {
    this.fill();
    return this.tokens >= this.rate.burst;
  }

  /** Takes a token, if one is available. Returns false if none is. */
  take(): boolean {
    this.fill();
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  /** The milliseconds until the next token is available. */
  get msToNext(): number {
    this.fill();
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) / this.rate.perSecond) * 1000);
  }

  /**
   * Takes the next token, even if it is not available yet. Returns the milliseconds until it is available. Each call
   * gets a later token than the call before.
   */
  reserve(): number {
    this.fill();
    this.tokens -= 1;
    return this.tokens >= 0 ? 0 : Math.ceil((-this.tokens / this.rate.perSecond) * 1000);
  }

  private fill(): void {
    const now = this.clock.now();
    const { burst, perSecond } = this.rate;
    this.tokens = Math.min(burst, this.tokens + ((now - this.at) / 1000) * perSecond);
    this.at = now;
  }
}
