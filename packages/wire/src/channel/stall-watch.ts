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

/** When a peer that does not read is treated as stalled. */
export interface StallLimit {
  readonly clock: StallClock;
  /** How long a peer may go without reading a byte, in milliseconds. */
  readonly afterMs: number;
}

/** How late a check may run, in milliseconds. A later check proves nothing, because mcpmux itself was blocked. */
const MAX_CHECK_DELAY_MS = 1000;

/** Watches a stream while data is queued, and reports a peer that has not read anything for too long. */
export class StallWatch {
  private timer: Timer | undefined;
  /** True if the peer has accepted a write since the last check. */
  private hasAccepted = false;
  private hasEnded = false;

  constructor(
    private readonly stream: Writable,
    private readonly limit: StallLimit,
    private readonly onStalled: (problem: string) => void,
  ) {
    stream.on('close', () => this.end());
  }

  /** Must be called when data is queued. Starts the timer if it is not running. */
  begin(): void {
    if (this.timer === undefined && !this.hasEnded) this.scheduleCheck();
  }

  /** Must be called whenever the peer has accepted a write, even if other writes are still queued. */
  recordAccepted(): void {
    this.hasAccepted = true;
    if (this.stream.writableLength === 0) this.cancelTimer();
  }

  /** Stops watching. */
  end(): void {
    this.hasEnded = true;
    this.cancelTimer();
  }

  private cancelTimer(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  private scheduleCheck(): void {
    const { clock, afterMs } = this.limit;
    // The number of bytes that have been written to the stream but not yet sent.
    const incompleteBefore = this.incompleteBytes;
    this.hasAccepted = false;
    const checkAt = clock.now() + afterMs;
    this.timer = clock.schedule(() => {
      this.timer = undefined;
      const queuedBytes = this.stream.writableLength;
      if (queuedBytes === 0) return;
      // Node.js reports a long write only when it is complete, so a check compares the number of bytes in incomplete
      // writes. The total number of queued bytes would not show progress, because more may have been queued.
      const hasRead = this.hasAccepted || this.incompleteBytes < incompleteBefore;
      if (hasRead || clock.now() > checkAt + MAX_CHECK_DELAY_MS) return this.scheduleCheck();
      this.onStalled(`it has read nothing for ${afterMs / 1000} s while ${queuedBytes} bytes wait`);
    }, afterMs);
  }

  private get incompleteBytes(): number {
    return pipeHandleOf(this.stream)?.writeQueueSize ?? 0;
  }
}
