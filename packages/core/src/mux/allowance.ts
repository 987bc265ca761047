/** The permitted rate of an event. */
export interface AllowanceRate {
  /** Maximum number of events at once, after a pause. */
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Limits the rate of a costly event: a burst after a pause, then a constant rate. */
export class Allowance {
  private left: number;
  private last = 0;

  constructor(private readonly rate: AllowanceRate) {
    this.left = rate.atOnce;
  }

  /**
   * True if one more event is allowed.
   *
   * @param now the time in milliseconds; frequent callers have already read the clock
   */
  take(now: number): boolean {
    const { atOnce, perSecond } = this.rate;
    this.left = Math.min(atOnce, this.left + ((now - this.last) / 1000) * perSecond);
    this.last = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
