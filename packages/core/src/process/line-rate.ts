import type { Clock, Timer } from '@mcpmux/kit';

/** The time in which lines are counted, in milliseconds. */
const WINDOW_MS = 1000;

/** Limits the lines per second, and reports the number of lines that it left out. */
export class LineRate {
  private windowEnd = -Infinity;
  private passed = 0;
  private leftOut = 0;
  private timer: Timer | undefined;

  constructor(
    private readonly linesPerSecond: number,
    private readonly clock: Clock,
    private readonly onLine: (line: string) => void,
  ) {}

  push(line: string): void {
    if (this.clock.now() >= this.windowEnd) this.beginWindow();
    if (this.passed < this.linesPerSecond) {
      this.passed += 1;
      this.onLine(line);
      return;
    }
    this.leftOut += 1;
    this.timer ??= this.clock.schedule(() => this.flush(), this.windowEnd - this.clock.now());
  }

  private beginWindow(): void {
    this.flush();
    this.windowEnd = this.clock.now() + WINDOW_MS;
    this.passed = 0;
  }

  /** Reports the number of lines that were left out. Runs at the end of a window and at the end of all lines. */
  flush(): void {
    this.timer?.cancel();
    this.timer = undefined;
    const count = this.leftOut;
    this.leftOut = 0;
    if (count > 0) this.onLine(`(${count} more lines within a second were left out)`);
  }
}
