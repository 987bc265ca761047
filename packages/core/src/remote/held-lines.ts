/** Lines that arrive while nobody can take them, in order. */
export class HeldLines {
  private lines: Buffer[] = [];
  private paused = false;
  private waiting: (() => void)[] = [];

  constructor(private readonly deliver: (line: Buffer) => void) {}

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  push(line: Buffer): void {
    // What a handler causes to arrive while held lines are delivered comes after those.
    if (this.paused || !this.isEmpty) this.lines.push(line);
    else this.deliver(line);
  }

  pause(): void {
    this.paused = true;
  }

  /** Delivers what is held, until it is paused again. */
  resume(): void {
    this.paused = false;
    while (!this.paused) {
      const [line] = this.lines;
      if (line === undefined) break;
      this.deliver(line);
      this.lines.shift();
    }
    if (this.paused) return;
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Delivers all that is held, whatever a handler says to it. */
  release(): void {
    while (!this.isEmpty) this.resume();
    this.resume();
  }

  /** Resolves when lines are taken: until then no more of them should be read. */
  async whenTaken(): Promise<void> {
    if (this.paused) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
