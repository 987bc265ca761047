/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void;
}

interface Entry {
  readonly due: number;
  readonly callback: () => void;
}

/** A clock that advances only when a test advances it. */
export class ManualClock {
  private time = 0;
  private entries: Entry[] = [];

  now(): number {
    return this.time;
  }

  schedule(callback: () => void, delayMs: number): Timer {
    const entry = { due: this.time + delayMs, callback };
    this.entries.push(entry);
    return { cancel: () => this.remove(entry) };
  }

  /** The number of running timers. */
  get timers(): number {
    return this.entries.length;
  }

  /** Advances the time by `ms` milliseconds. Timers that become due fire in order, including timers set meanwhile. */
  advance(ms: number): void {
    const until = this.time + ms;
    for (let next = this.earliest(); next !== undefined && next.due <= until; next = this.earliest()) {
      this.time = next.due;
      this.remove(next);
      next.callback();
    }
    this.time = until;
  }

  private earliest(): Entry | undefined {
    // The sort is stable, so of two timers due at the same time, the timer that was set first fires first.
    return this.entries.toSorted((a, b) => a.due - b.due)[0];
  }

  private remove(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry);
  }
}
