/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void;
}

interface TimerEntry {
  readonly dueTime: number;
  readonly callback: () => void;
}

/** A clock that advances only when a test advances it. */
export class ManualClock {
  private currentTime = 0;
  private entries: TimerEntry[] = [];

  now(): number {
    return this.currentTime;
  }

  schedule(callback: () => void, delayMs: number): Timer {
    const entry = { dueTime: this.currentTime + delayMs, callback };
    this.entries.push(entry);
    return { cancel: () => this.remove(entry) };
  }

  /** The number of running timers. */
  get timerCount(): number {
    return this.entries.length;
  }

  /**
   * Advances the time by `ms` milliseconds. Timers that become due fire in order, including timers that are set by the
   * fired ones.
   */
  advance(ms: number): void {
    const endTime = this.currentTime + ms;
    for (
      let next = this.earliestEntry();
      next !== undefined && next.dueTime <= endTime;
      next = this.earliestEntry()
    ) {
      this.currentTime = next.dueTime;
      this.remove(next);
      next.callback();
    }
    this.currentTime = endTime;
  }

  private earliestEntry(): TimerEntry | undefined {
    // The sort is stable, so timers due at the same time fire in the order in which they were set.
    return this.entries.toSorted((a, b) => a.dueTime - b.dueTime)[0];
  }

  private remove(entry: TimerEntry): void {
    this.entries = this.entries.filter((other) => other !== entry);
  }
}
