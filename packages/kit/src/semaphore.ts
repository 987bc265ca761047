/**
 * A limited number of places, which waiting callers receive first come, first served. A caller can stop waiting and
 * leave the queue. A caller that has a place must release it.
 */
export class Semaphore {
  private usedPlaces = 0;
  /** The functions that admit the waiting callers. */
  private readonly waitingCallers = new Set<() => void>();

  constructor(
    private readonly places: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** True if no caller holds a place or waits for one. */
  get isEmpty(): boolean {
    return this.usedPlaces === 0 && this.waitingCallers.size === 0;
  }

  /**
   * Waits for a place. Resolves to true when the caller has a place, which it must release with {@link leave}, or to
   * false if `signal` is aborted first. Returns undefined if the queue is full.
   */
  enter(signal?: AbortSignal): Promise<boolean> | undefined {
    if (signal?.aborted) return Promise.resolve(false);
    if (this.usedPlaces < this.places) {
      this.usedPlaces += 1;
      return Promise.resolve(true);
    }
    if (this.waitingCallers.size >= this.maxWaiting) return undefined;
    return new Promise((resolve) => {
      const cancel = (): void => {
        this.waitingCallers.delete(admit);
        resolve(false);
      };
      const admit = (): void => {
        signal?.removeEventListener('abort', cancel);
        resolve(true);
      };
      this.waitingCallers.add(admit);
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Waits for a place. Resolves to a function that releases the place. Further calls of the function do nothing. */
  async acquire(): Promise<() => void> {
    await this.enter();
    let isHeld = true;
    return () => {
      if (isHeld) this.leave();
      isHeld = false;
    };
  }

  /** Releases a place, which then goes to the caller that has waited longest, if any. */
  leave(): void {
    const [next] = this.waitingCallers;
    if (next === undefined) {
      this.usedPlaces -= 1;
      return;
    }
    this.waitingCallers.delete(next);
    next();
  }
}
