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

/** The limit after which a peer that does not read is treated as stalled. */
export interface StallLimit {
  readonly clock: StallClock;
  /** The peer has stalled if it reads no byte for this time, in milliseconds. */
  readonly afterMs: number;
}

/** A check that runs this much too late, in milliseconds, proves nothing, because mcpmux itself was blocked. */
const LATE_MS = 1000;

/** Watches a stream while it has queued data, and reports if its peer reads nothing for too long. */
export class StallWatch {
  private timer: Timer | undefined;
  /** True if the peer has taken a write since the last check. */
  private hasTaken = false;
  private isOver = false;

  constructor(
    private readonly stream: Writable,
    private readonly limit: StallLimit,
    private readonly onStalled: (problem: string) => void,
  ) {
    stream.on('close', () => this.end());
  }

  /** Starts the time limit when data is queued, unless it has already started. */
  begin(): void {
    if (this.timer === undefined && !this.isOver) this.look();
  }

  /** Must be called each time the peer has taken a write. Other writes may still be queued. */
  taken(): void {
    this.hasTaken = true;
    if (this.stream.writableLength === 0) this.stop();
  }

  /** Stops watching. */
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
    // The bytes in writes that have begun and are not complete.
    const begun = this.begunBytes;
    this.hasTaken = false;
    const due = clock.now() + afterMs;
    this.timer = clock.schedule(() => {
      this.timer = undefined;
      const left = this.stream.writableLength;
      if (left === 0) return;
      // Does not compare all queued bytes, because more may have been queued in the meantime. A long write is reported
      // only when it is complete, so the bytes of begun writes are compared.
      const hasRead = this.hasTaken || this.begunBytes < begun;
      if (hasRead || clock.now() > due + LATE_MS) return this.look();
      this.onStalled(`it has read nothing for ${afterMs / 1000} s while ${left} bytes wait`);
    }, afterMs);
  }

  private get begunBytes(): number {
    return pipeHandleOf(this.stream)?.writeQueueSize ?? 0;
  }
}
