/**
 * Passes on at most one text in an interval: the first at once, and of those that follow the latest. A screen reader that
 * got each of them would speak for ever.
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

  /** Passes on a text that cannot wait, and drops the one that does. */
  now(text: string): void {
    this.stop();
    this.report(text);
  }

  /** Drops the text that waits. */
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
