/**
 * A limited number of permits, which waiting callers receive first come, first served. A caller can stop waiting
 * and leave the queue. A caller that holds a permit must release it.
 */
export class Semaphore {
  private usedPermits = 0;
  /** The functions that admit the waiting callers. */
  private readonly waitingCallers = new Set<() => void>();

  constructor(
    private readonly permits: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** True if no caller holds a permit or is waiting for one. */
  get isEmpty(): boolean {
    return this.usedPermits === 0 && this.waitingCallers.size === 0;
  }

  /**
   * Waits for a permit. Resolves to true once the caller holds one, which it must release with {@link leave}, or to
   * false if `signal` is aborted first. Returns undefined if the queue is full.
   */
  enter(signal?: AbortSignal): Promise<boolean> | undefined {
    if (signal?.aborted) return Promise.resolve(false);
    if (this.usedPermits < this.permits) {
      this.usedPermits += 1;
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

  /** Waits for a permit. Resolves to a function that releases it. Further calls of the function do nothing. */
  async acquire(): Promise<() => void> {
    await this.enter();
    let isHeld = true;
    return () => {
      if (isHeld) this.leave();
      isHeld = false;
    };
  }

  /** Releases a permit, which then goes to the caller that has waited longest, if any. */
  leave(): void {
    const [next] = this.waitingCallers;
    if (next === undefined) {
      this.usedPermits -= 1;
      return;
    }
    this.waitingCallers.delete(next);
    next();
  }
}
