/** Lines that arrive while nobody can take them, in order. */
export class HeldLines<Line> {
  private lines: Line[] = [];
  private paused = false;
  private isDelivering = false;
  private waiting: (() => void)[] = [];

  constructor(private readonly deliver: (line: Line) => void) {}

  push(line: Line): void {
    // What a handler causes to arrive while lines are delivered comes after those.
    this.lines.push(line);
    if (!this.isDelivering) this.deliverWhile(() => !this.paused);
  }

  get isPaused(): boolean {
    return this.paused;
  }

  pause(): void {
    this.paused = true;
  }

  /** Delivers what is held, until it is paused again. Within a delivery it goes on when that is over. */
  resume(): void {
    this.paused = false;
    if (!this.isDelivering) this.deliverWhile(() => !this.paused);
    if (this.paused) return;
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Delivers all that is held, whatever a handler says to it, also within a delivery: the end comes next. */
  release(): void {
    this.deliverWhile(() => true);
    this.resume();
  }

  /** Resolves when lines are taken: until then no more of them should be read. */
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
