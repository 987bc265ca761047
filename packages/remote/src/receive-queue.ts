import { HeldLines } from './held-lines.js';
import { partsLength, type LineParts } from './line-parts.js';
import type { Flow } from './response-body.js';

/** A line, or a function to call after all preceding lines have been accepted. */
type Arrival = LineParts | (() => void);

/** A line of at least this many bytes is delivered immediately. */
const LARGE_LINE_BYTES = 64 * 1024;

/**
 * The lines from all of one server's responses. Lines that arrive in one turn of the event loop are delivered together,
 * so that they are sent in one write. A large line is delivered immediately after the preceding lines, so that a slow
 * client pauses the server early and few large lines are queued.
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

  /** Adds a line, or a function to call once all preceding lines have been accepted. */
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

  /** Delivers all lines even if the queue is paused, because the session is ending. */
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
