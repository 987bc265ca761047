/** A queue of lines for a receiver that can be paused. */
export class HeldLines<Line> {
  private lines: Line[] = [];
  private paused = false;
  private isDelivering = false;
  private resumeWaiters: (() => void)[] = [];

  constructor(private readonly deliver: (line: Line) => void) {}

  push(line: Line): void {
    // A line that arrives during the delivery of queued lines must come after them.
    this.lines.push(line);
    if (!this.isDelivering) this.deliverWhile(() => !this.paused);
  }

  get isPaused(): boolean {
    return this.paused;
  }

  pause(): void {
    this.paused = true;
  }

  /**
   * Delivers the queued lines until the queue is paused again. Has no effect during another delivery, which continues.
   */
  resume(): void {
    this.paused = false;
    if (!this.isDelivering) this.deliverWhile(() => !this.paused);
    if (this.paused) return;
    for (const wake of this.resumeWaiters.splice(0)) wake();
  }

  /** Delivers all queued lines at the end, even if a handler pauses the queue or a delivery is in progress. */
  deliverAll(): void {
    this.deliverWhile(() => true);
    this.resume();
  }

  /** Resolves when the queue is not paused. The caller should not read more lines until then. */
  async whenTaken(): Promise<void> {
    if (this.paused) await new Promise<void>((resolve) => this.resumeWaiters.push(resolve));
  }

  private deliverWhile(isOpen: () => boolean): void {
    const { isDelivering } = this;
    this.isDelivering = true;
    try {
      while (isOpen()) {
        const line = this.lines.shift();
        if (line === undefined) return;
        this.deliver(line);
      }
    } finally {
      this.isDelivering = isDelivering;
    }
  }
}
