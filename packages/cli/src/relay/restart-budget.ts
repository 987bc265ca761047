const MAX_RESTARTS = 10;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1000;

/** How often a process that ends by itself is started again, and how soon. */
export class RestartBudget {
  private recent: readonly number[] = [];

  /**
   * The pause before the next start, in milliseconds: a process that is being killed still accepts connections for a moment.
   *
   * @returns undefined for more than ten restarts within a minute
   */
  spend(nowMs: number): number | undefined {
    this.recent = [...this.recent.filter((at) => nowMs - at < WITHIN_MS), nowMs];
    const { length } = this.recent;
    return length > MAX_RESTARTS ? undefined : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (length - 1));
  }
}
