import { HeldLines } from './held-lines.js';
import { partsLength, type LineParts } from './line-parts.js';
import type { Flow } from './response-body.js';

/** A line, or a function that is called after the preceding lines. */
type Arrival = LineParts | (() => void);

/** Lines of at least this size, in bytes, are delivered immediately. */
const LARGE_LINE_BYTES = 64 * 1024;

/**
 * One server's lines, from all of its responses. Lines that arrive in one turn of the event loop are delivered
 * together, so that they are sent in one write. A large line is delivered immediately after the preceding ones. A slow
 * client therefore pauses the server early, and few large lines are queued.
 */
export class ReceiveQueue implements Flow {
  private arrivals: Arrival[] = [];
  private isFlushing = false;
  private readonly heldLines: HeldLines<LineParts>;

  constructor(deliver: (line: LineParts) => void) {
    this.heldLines = new HeldLines(deliver);
  }

  get isPaused(): boolean {
    return this.heldLines.isPaused;
  }

  /** Adds a line, or a function that is called when all preceding lines have been accepted. */
  add(arrival: Arrival): void {
    const isFirst = this.arrivals.push(arrival) === 1;
    if (!this.isFlushing && typeof arrival !== 'function' && partsLength(arrival) >= LARGE_LINE_BYTES)
      this.flush();
    else if (isFirst) setImmediate(() => this.flush());
  }

  pause(): void {
    this.heldLines.pause();
  }

  resume(): void {
    this.heldLines.resume();
  }

  whenTaken(): Promise<void> {
    return this.heldLines.whenTaken();
  }

  /** Resolves when all lines received so far have been delivered. */
  whenDelivered(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  /** Delivers all lines before the end, even while the queue is paused. */
  deliverAll(): void {
    this.heldLines.deliverAll();
    this.flush();
    this.heldLines.deliverAll();
  }

  private deliver(arrival: Arrival): void {
    if (typeof arrival !== 'function') this.heldLines.push(arrival);
    else if (this.heldLines.isPaused) void this.heldLines.whenTaken().then(arrival);
    else arrival();
  }

  private flush(): void {
    const { isFlushing } = this;
    const arrivals = this.arrivals;
    this.arrivals = [];
    this.isFlushing = true;
    try {
      for (const arrival of arrivals) this.deliver(arrival);
    } finally {
      this.isFlushing = isFlushing;
    }
  }
}
