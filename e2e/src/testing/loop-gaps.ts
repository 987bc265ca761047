const TICK_MS = 5;

/** How long the event loop of this process has stood still: nothing that has arrived meanwhile was read. */
export class LoopGaps implements Disposable {
  private last = performance.now();
  private longest = 0;
  private readonly timer = setInterval(() => this.tick(), TICK_MS);

  /** The longest gap since the last call, in milliseconds, with one that is only just over. */
  take(): number {
    this.tick();
    const { longest } = this;
    this.longest = 0;
    return longest;
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.last);
    this.last = now;
  }
}
