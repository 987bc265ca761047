/**
 * Passes on at most one text per interval. The first text is passed on at once, and then the latest text of each
 * interval. A screen reader would otherwise never stop speaking.
 */
export class Paced {
  private latest: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly say: (text: string) => void,
    private readonly intervalMs: number,
  ) {}

  report(text: string): void {
    if (this.timer !== undefined) {
      this.latest = text;
      return;
    }
    this.say(text);
    this.timer = setTimeout(() => this.next(), this.intervalMs);
  }

  /** Passes on an urgent text at once, and drops the waiting text. */
  now(text: string): void {
    this.stop();
    this.report(text);
  }

  /** Drops the waiting text. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.latest = undefined;
  }

  private next(): void {
    const { latest } = this;
    this.stop();
    if (latest !== undefined) this.report(latest);
  }
}
