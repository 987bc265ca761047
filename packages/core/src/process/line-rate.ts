import type { Clock, Timer } from '@mcpmux/kit';

/** The length of one counting window, in milliseconds. */
const WINDOW_MS = 1000;

/** Passes on at most `linesPerSecond` lines per second, and reports how many lines it dropped. */
export class LineRateLimiter {
  private windowEnd = -Infinity;
  private passedCount = 0;
  private droppedCount = 0;
  private timer: Timer | undefined;

  constructor(
    private readonly linesPerSecond: number,
    private readonly clock: Clock,
    private readonly onLine: (line: string) => void,
  ) {}

  push(line: string): void {
    if (this.clock.now() >= this.windowEnd) this.beginWindow();
    if (this.passedCount < this.linesPerSecond) {
      this.passedCount += 1;
      this.onLine(line);
      return;
    }
    this.droppedCount += 1;
    this.timer ??= this.clock.schedule(() => this.reportDropped(), this.windowEnd - this.clock.now());
  }

  private beginWindow(): void {
    this.reportDropped();
    this.windowEnd = this.clock.now() + WINDOW_MS;
    this.passedCount = 0;
  }

  /** Reports the number of dropped lines. Called at the end of each window and at the end of the stream. */
  reportDropped(): void {
    this.timer?.cancel();
    this.timer = undefined;
    const omittedCount = this.droppedCount;
    this.droppedCount = 0;
    if (omittedCount > 0) this.onLine(`(${omittedCount} more lines within a second were left out)`);
  }
}
