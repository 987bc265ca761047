import type { Writable } from 'node:stream';

import type { Clock, Timer } from '../clock.js';
import { pipeHandleOf } from './pipe-handle.js';

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
  /** What waited at the last look, */
  private waiting = 0;
  /** and what of it had been begun to be written. */
  private begun = 0;
  /** A write has been taken since. */
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

  /** The peer has taken a write; others may wait. */
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
    this.begun = this.begunBytes;
    this.hasTaken = false;
    const due = clock.now() + afterMs;
    this.timer = clock.schedule(() => {
      this.timer = undefined;
      const left = this.stream.writableLength;
      if (left === 0 || this.isOver) return;
      if (this.hasRead(left) || clock.now() > due + LATE_MS) return this.look();
      this.onStalled(`it has read nothing for ${afterMs / 1000} s while ${left} bytes wait`);
    }, afterMs);
  }

  /** More may have been sent meanwhile, and of a long write no part is told to be taken before all of it is. */
  private hasRead(left: number): boolean {
    return this.hasTaken || left < this.waiting || this.begunBytes < this.begun;
  }

  private get begunBytes(): number {
    return pipeHandleOf(this.stream)?.writeQueueSize ?? 0;
  }
}
