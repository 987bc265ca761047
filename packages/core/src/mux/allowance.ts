/** The permitted rate of an event. */
export interface AllowanceRate {
  /** Maximum number of events at once, after a pause. */
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Limits how often something costly happens: a burst after a pause, and a constant rate from then on. */
export class Allowance {
  private left: number;
  private last = 0;

  constructor(private readonly rate: AllowanceRate) {
    this.left = rate.atOnce;
  }

  /**
   * True if one more event is allowed.
   *
   * @param now a reading of the clock in milliseconds, which frequent callers have already
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
