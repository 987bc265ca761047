import type { Clock } from '@mcpmux/kit';
import { Excerpt } from '../../process/excerpt.js';
import { LineRateLimiter } from '../../process/line-rate.js';

/** The lines of one run's stdout that are not MCP messages. They often explain why the server does not start. */
export class StrayLines {
  private readonly collectedExcerpt = new Excerpt();
  private readonly lineLimiter: LineRateLimiter;

  /** @param onLine called with at most `linesPerSecond` lines per second */
  constructor(linesPerSecond: number, clock: Clock, onLine: (line: string) => void) {
    this.lineLimiter = new LineRateLimiter(linesPerSecond, clock, onLine);
  }

  add(line: string): void {
    this.collectedExcerpt.add(line);
    this.lineLimiter.push(line);
  }

  /** The lines to report with a failure, in order. */
  get excerpt(): readonly string[] {
    return this.collectedExcerpt.lines;
  }

  /** Reports the number of omitted lines, at the end of the run. */
  end(): void {
    this.lineLimiter.reportDropped();
  }
}
