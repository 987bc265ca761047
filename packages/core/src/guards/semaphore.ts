/**
 * A number of places, and a line of those who wait for one, first come first served. Whoever does not want to wait any
 * longer leaves the line; whoever was let in gives the place back.
 */
export class Semaphore {
  private taken = 0;
  /** Each lets in one of those who wait. */
  private readonly line = new Set<() => void>();

  constructor(
    private readonly places: number,
    private readonly maxWaiting: number,
  ) {}

  /** True when nobody is in or waits. */
  get isEmpty(): boolean {
    return this.taken === 0 && this.line.size === 0;
  }

  /**
   * Waits for a place. Resolves to true with a place, which {@link leave} gives back, and to false when `signal` is
   * aborted before; undefined when the line is too long already.
   */
  enter(signal: AbortSignal): Promise<boolean> | undefined {
    if (signal.aborted) return Promise.resolve(false);
    if (this.taken < this.places) {
      this.taken += 1;
      return Promise.resolve(true);
    }
    if (this.line.size >= this.maxWaiting) return undefined;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.line.delete(enter);
        resolve(false);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      this.line.add(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives a place back: to whoever has waited longest. */
  leave(): void {
    const [enter] = this.line;
    if (enter === undefined) {
      this.taken -= 1;
      return;
    }
    this.line.delete(enter);
    enter();
  }
}
