const FIRST_CAPACITY = 4096;

/**
 * When each call was sent and how long its answer took. Ids count up from `firstId`.
 *
 * One number per call: its time of sending, negated, while it is in flight, and its latency afterwards.
 */
export class CallLog {
  private times = new Float64Array(FIRST_CAPACITY);
  private sentCount = 0;
  private answeredCount = 0;

  constructor(private readonly firstId: number) {}

  get sent(): number {
    return this.sentCount;
  }

  get answered(): number {
    return this.answeredCount;
  }

  /** The id of the next call, sent at `now` (milliseconds above 0). */
  send(now: number): number {
    if (this.sentCount === this.times.length) this.grow();
    this.times[this.sentCount] = -now;
    this.sentCount += 1;
    return this.firstId + this.sentCount - 1;
  }

  /** @throws Error when no such call was sent, or it was answered before */
  answer(id: number, now: number): void {
    const index = id - this.firstId;
    const time = index >= 0 && index < this.sentCount ? this.times[index] : undefined;
    if (time === undefined) throw new Error(`an answer to call ${id}, which was not sent`);
    if (time >= 0) throw new Error(`a second answer to call ${id}`);
    this.times[index] = now + time;
    this.answeredCount += 1;
  }

  /** Milliseconds of every call, sorted. Only complete when all calls are answered. */
  latencies(): Float64Array {
    return this.times.slice(0, this.sentCount).toSorted();
  }

  private grow(): void {
    const larger = new Float64Array(this.times.length * 2);
    larger.set(this.times);
    this.times = larger;
  }
}
