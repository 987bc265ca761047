/**
 * A number of places, and a line of callers that wait for one, first come first served. A caller that does not want to
 * wait any longer leaves the line; a caller that was let in gives the place back.
 */
export class Semaphore {
  private taken = 0;
  /** How each waiting caller is let in. */
  private readonly line = new Set<() => void>();

  constructor(
    private readonly places: number,
    private readonly maxWaiting = Infinity,
  ) {}

  /** True when nobody is in or waits. */
  get isEmpty(): boolean {
    return this.taken === 0 && this.line.size === 0;
  }

  /**
   * Waits for a place. Resolves to true with a place, which {@link leave} gives back, and to false when `signal` is
   * aborted before; undefined when the line is too long already.
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

  /** Waits for a place. Resolves with the function that gives the place back; calling that more than once does nothing. */
  async acquire(): Promise<() => void> {
    await this.enter();
    let isHeld = true;
    return () => {
      if (isHeld) this.leave();
      isHeld = false;
    };
  }

  /** Gives a place back: to the caller that has waited longest. */
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
