/** Who waits for a place, and how they are let in. */
interface Waiting {
  readonly enter: () => void;
}

/**
 * A number of places, and a line of those who wait for one, first come first served. Whoever does not want to wait any
 * longer leaves the line; whoever was let in gives the place back.
 */
export class Semaphore {
  private taken = 0;
  private readonly line = new Set<Waiting>();

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
        this.line.delete(waiting);
        resolve(false);
      };
      const waiting: Waiting = {
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(true);
        },
      };
      this.line.add(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives a place back: to whoever has waited longest. */
  leave(): void {
    const [next] = this.line;
    if (next === undefined) {
      this.taken -= 1;
      return;
    }
    this.line.delete(next);
    next.enter();
  }
}
