/** The maximum number of intervals without data from mcpmux. One more interval counts as silence. */
const MAX_MISSED = 3;

/**
 * Aborts a stream that has become silent. The heartbeats are counted and not timed. After a time in which the browser
 * did not run, such as a sleep of the machine, only one heartbeat is missing.
 */
export class Heartbeat {
  private readonly silence = new AbortController();
  private readonly timer: ReturnType<typeof setInterval>;
  private missed = 0;
  private last = Date.now();

  constructor(intervalMs: number) {
    this.timer = setInterval(() => this.missing(), intervalMs);
  }

  /** Aborted when the stream is silent. */
  get signal(): AbortSignal {
    return this.silence.signal;
  }

  /** The time of the last data from mcpmux. Initially the start time. */
  get heardAt(): number {
    return this.last;
  }

  readonly heard = (): void => {
    this.missed = 0;
    this.last = Date.now();
  };

  stop(): void {
    clearInterval(this.timer);
  }

  private missing(): void {
    this.missed += 1;
    if (this.missed > MAX_MISSED) this.silence.abort();
  }
}
