import type { Writable } from 'node:stream';

import { pipeHandleOf } from '../pipe/pipe-handle.js';

interface Timer {
  cancel(): void;
}

/** Monotonic time in milliseconds, and timers. */
export interface StallClock {
  now(): number;
  schedule(callback: () => void, delayMs: number): Timer;
}

/** When a peer that does not read is given up. */
export interface StallLimit {
  readonly clock: StallClock;
  /** Without any byte taken for this long, in milliseconds, the peer has stalled. */
  readonly afterMs: number;
}

/** A look that comes this much too late, in milliseconds, proves nothing: it was mcpmux that stood still. */
const LATE_MS = 1000;

/** Watches a stream while something waits in it, and tells when its peer takes nothing for too long. */
export class StallWatch {
  private timer: Timer | undefined;
  /** A write has been taken since the last look. */
  private hasTaken = false;
  private isOver = false;

  constructor(
    private readonly stream: Writable,
    private readonly limit: StallLimit,
    private readonly onStalled: (problem: string) => void,
  ) {
    stream.on('close', () => this.end());
  }

  /** Something waits to be taken: the time begins, unless it has begun. */
  begin(): void {
    if (this.timer === undefined && !this.isOver) this.look();
  }

  /** The peer has taken a write; others may wait. To be told of each. */
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
    // What has been begun to be written and is not taken.
    const begun = this.begunBytes;
    this.hasTaken = false;
    const due = clock.now() + afterMs;
    this.timer = clock.schedule(() => {
      this.timer = undefined;
      const left = this.stream.writableLength;
      if (left === 0) return;
      // Not by what waits, as more may have been sent meanwhile; of a long write no part is told before all of it is taken.
      const hasRead = this.hasTaken || this.begunBytes < begun;
      if (hasRead || clock.now() > due + LATE_MS) return this.look();
      this.onStalled(`it has read nothing for ${afterMs / 1000} s while ${left} bytes wait`);
    }, afterMs);
  }

  private get begunBytes(): number {
    return pipeHandleOf(this.stream)?.writeQueueSize ?? 0;
  }
}
