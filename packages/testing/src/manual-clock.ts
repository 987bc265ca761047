/** A timer that was set and can be cancelled. */
export interface Timer {
  cancel(): void;
}

interface Entry {
  readonly due: number;
  readonly callback: () => void;
}

/** A clock that stands still until the test moves it. */
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

  /** How many timers are running. */
  get timers(): number {
    return this.entries.length;
  }

  /** Lets `ms` milliseconds pass, and every timer fire that is due in them, in order, also those set in the meantime. */
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
    // Sorting is stable: of two timers due at once, the one set first fires first.
    return this.entries.toSorted((a, b) => a.due - b.due)[0];
  }

  private remove(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry);
  }
}
