const MAX_RESTARTS = 5;
const WITHIN_MS = 60_000;

/** How often a process that ends by itself is started again. */
export class RestartBudget {
  private recent: readonly number[] = [];

  /** @returns false for more than five restarts within a minute */
  spend(nowMs: number): boolean {
    this.recent = [...this.recent.filter((at) => nowMs - at < WITHIN_MS), nowMs];
    return this.recent.length <= MAX_RESTARTS;
  }
}
