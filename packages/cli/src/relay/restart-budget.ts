const MAX_RESTARTS = 10;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1000;

/** Limits how often and how soon a process that ends by itself is started again. */
export class RestartBudget {
  private recent: readonly number[] = [];

  /**
   * Returns the pause before the next start, in milliseconds. The pause is needed because a process that is being
   * killed accepts connections for another moment.
   *
   * @returns undefined after ten restarts within a minute
   */
  spend(nowMs: number): number | undefined {
    this.recent = [...this.recent.filter((at) => nowMs - at < WITHIN_MS), nowMs];
    const { length } = this.recent;
    return length > MAX_RESTARTS ? undefined : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (length - 1));
  }
}
