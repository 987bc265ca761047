/** How much of something may happen. */
export interface AllowanceRate {
  /** After a silence. */
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Bounds how often something costly happens: a burst after a silence, and a rate from then on. */
export class Allowance {
  private left: number;
  private last = 0;

  constructor(private readonly rate: AllowanceRate) {
    this.left = rate.atOnce;
  }

  /**
   * True if one more event is allowed.
   *
   * @param now a reading of the clock, in milliseconds: whoever asks often has one already
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
