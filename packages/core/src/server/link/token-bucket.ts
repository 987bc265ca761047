import type { Clock } from '@mcpmux/kit';

/** How a {@link TokenBucket} fills. */
export interface TokenRate {
  /** Tokens in a full bucket. */
  readonly burst: number;
  /** Tokens added in each second. */
  readonly perSecond: number;
}

/** Decides whether an event is within a rate. Full at the beginning. */
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

  /** Takes a token, if there is one. */
  take(): boolean {
    this.fill();
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  /** In how many milliseconds there will be a token. */
  get msToNext(): number {
    this.fill();
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) / this.rate.perSecond) * 1000);
  }

  /** Takes a token that is there or will be. Returns in how many milliseconds it is: each one later than the one before. */
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
