import type { Writable } from 'node:stream';

import type { Clock, Timer } from '../clock.js';

/** When a peer that does not read is given up. */
export interface StallLimit {
  readonly clock: Clock;
  /** Without any byte taken for this long, in milliseconds, the peer has stalled. */
  readonly afterMs: number;
}

/** A look that comes this much too late, in milliseconds, proves nothing: it was mcpmux that stood still. */
const LATE_MS = 1000;

/** Watches a stream while something waits in it, and tells when its peer takes nothing for too long. */
export class StallWatch {
  private timer: Timer | undefined;
  private waiting = 0;
  /** Something was taken since the last look. */
  private hasTaken = false;
  private isOver = false;

  constructor(
    private readonly stream: Writable,
    private readonly limit: StallLimit,
    private readonly onStalled: (problem: string) => void,
  ) {
    stream.on('close', () => this.end());
    stream.on('drain', () => this.taken());
  }

  /** Something waits to be taken: the time begins, unless it has begun. */
  begin(): void {
    if (this.timer === undefined && !this.isOver) this.look();
  }

  /** The peer has taken something; more may wait. */
  taken(): void {
    this.hasTaken = true;
    if (this.stream.writableLength === 0) this.stop();
  }

  /** Watches no more. */
  end(): void {
    this.isOver = true;
    this.stop();
  }

  private stop(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  private look(): void {
    const { clock, afterMs } = this.limit;
    this.waiting = this.stream.writableLength;
    this.hasTaken = false;
    const due = clock.now() + afterMs;
    this.timer = clock.schedule(() => {
      this.timer = undefined;
      const left = this.stream.writableLength;
      if (left === 0 || this.isOver) return;
      // More may have been sent meanwhile: what waits has not become less for all who read.
      const hasRead = this.hasTaken || left < this.waiting;
      if (hasRead || clock.now() > due + LATE_MS) return this.look();
      this.onStalled(`it has read nothing for ${afterMs / 1000} s while ${left} bytes wait`);
    }, afterMs);
  }
}
