/** Starting processes blocks the event loop; this many may be on their way up at the same time. */
export const DEFAULT_CONCURRENT_SPAWNS = 4;

/** Lets a bounded number of callers in at once, the others in the order they came. */
export class SpawnLimiter {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(slots: number = DEFAULT_CONCURRENT_SPAWNS) {
    this.free = slots;
  }

  /** Resolves with the function that gives the slot back; calling that more than once does nothing. */
  async acquire(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.release();
    };
  }

  private release(): void {
    const next = this.waiting.shift();
    // The slot goes straight to the next in line, so nobody who comes later can take it.
    if (next === undefined) this.free += 1;
    else next();
  }
}
