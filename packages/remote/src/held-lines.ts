/** A queue of lines that arrive while the receiver is paused, in order. */
export class HeldLines<Line> {
  private lines: Line[] = [];
  private paused = false;
  private isDelivering = false;
  private waiting: (() => void)[] = [];

  constructor(private readonly deliver: (line: Line) => void) {}

  push(line: Line): void {
    // Lines that arrive because of a handler during delivery come after the current lines.
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
   * Delivers the queued lines until the queue is paused again. During a delivery, the current delivery continues
   * instead.
   */
  resume(): void {
    this.paused = false;
    if (!this.isDelivering) this.deliverWhile(() => !this.paused);
    if (this.paused) return;
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Delivers all queued lines before the end, even if a handler pauses the queue, and even during a delivery. */
  release(): void {
    this.deliverWhile(() => true);
    this.resume();
  }

  /** Resolves when lines are accepted. Until then, no more lines should be read. */
  async whenTaken(): Promise<void> {
    if (this.paused) await new Promise<void>((resolve) => this.waiting.push(resolve));
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
