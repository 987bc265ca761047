/** The rate at which an event is permitted. */
export interface AllowanceRate {
  /** The maximum number of events at once, after a pause. */
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket that limits how often something costly happens. */
export class Allowance {
  private tokens: number;
  private refilledAt = 0;

  constructor(private readonly rate: AllowanceRate) {
    this.tokens = rate.burst;
  }

  /**
   * Returns true and counts one event if the rate allows it.
   *
   * @param now the current time in milliseconds, which frequent callers have already read from the clock
   */
  tryConsume(now: number): boolean {
    const { burst, perSecond } = this.rate;
    this.tokens = Math.min(burst, this.tokens + ((now - this.refilledAt) / 1000) * perSecond);
    this.refilledAt = now;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
