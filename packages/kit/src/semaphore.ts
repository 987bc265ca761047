/**
 * A limited number of places, and a queue of callers that wait for a place, first come, first served. A caller can stop
 * waiting and leave the queue. A caller that got a place must give it back.
 */
export class Semaphore {
  private taken = 0;
  /** The functions that let the waiting callers in. */
  private readonly line = new Set<() => void>();

  constructor(
    private readonly places: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** True if no caller holds a place or waits. */
  get isEmpty(): boolean {
    return this.taken === 0 && this.line.size === 0;
  }

  /**
   * Waits for a place. Resolves to true with a place, which {@link leave} gives back, and to false if `signal` is
   * aborted first. Returns undefined if the queue is full.
   */
  enter(signal?: AbortSignal): Promise<boolean> | undefined {
    if (signal?.aborted) return Promise.resolve(false);
    if (this.taken < this.places) {
      this.taken += 1;
      return Promise.resolve(true);
    }
    if (this.line.size >= this.maxWaiting) return undefined;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.line.delete(letIn);
        resolve(false);
      };
      const letIn = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve(true);
      };
      this.line.add(letIn);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /**
   * Waits for a place. Resolves to the function that gives the place back. Further calls of the function do nothing.
   */
  async acquire(): Promise<() => void> {
    await this.enter();
    let isHeld = true;
    return () => {
      if (isHeld) this.leave();
      isHeld = false;
    };
  }

  /** Gives a place back. The caller that has waited longest gets it. */
  leave(): void {
    const [next] = this.line;
    if (next === undefined) {
      this.taken -= 1;
      return;
    }
    this.line.delete(next);
    next();
  }
}
