import { HeldLines } from './held-lines.js';
import { partsLength, type LineParts } from './line-parts.js';
import type { Flow } from './response-body.js';

/** A line, or a function that is called after the lines before it. */
type Arrival = LineParts | (() => void);

/** A line of this size or more is delivered at once. */
const LARGE_BYTES = 64 * 1024;

/**
 * The lines of one server, from all of its responses. Lines that arrive in one turn of the event loop are delivered
 * together, so that they are sent in one write. A large line is delivered at once with the lines before it. The server
 * then waits as soon as the client does, and no more large lines than necessary are stored.
 */
export class ReceiveQueue implements Flow {
  private arrived: Arrival[] = [];
  private isFlushing = false;
  private readonly held: HeldLines<LineParts>;

  constructor(deliver: (line: LineParts) => void) {
    this.held = new HeldLines(deliver);
  }

  get isPaused(): boolean {
    return this.held.isPaused;
  }

  /** Adds a line, or a function that is called after the lines before it have been accepted. */
  add(arrival: Arrival): void {
    const isFirst = this.arrived.push(arrival) === 1;
    if (!this.isFlushing && typeof arrival !== 'function' && partsLength(arrival) >= LARGE_BYTES)
      this.flush();
    else if (isFirst) setImmediate(() => this.flush());
  }

  pause(): void {
    this.held.pause();
  }

  resume(): void {
    this.held.resume();
  }

  whenTaken(): Promise<void> {
    return this.held.whenTaken();
  }

  /** Resolves when all lines so far are delivered. */
  whenDelivered(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  /** Delivers all lines before the end, even while the queue is paused. */
  release(): void {
    this.held.release();
    this.flush();
    this.held.release();
  }

  private deliver(arrival: Arrival): void {
    if (typeof arrival !== 'function') this.held.push(arrival);
    else if (this.held.isPaused) void this.held.whenTaken().then(arrival);
    else arrival();
  }

  private flush(): void {
    const { isFlushing } = this;
    const arrived = this.arrived;
    this.arrived = [];
    this.isFlushing = true;
    try {
      for (const arrival of arrived) this.deliver(arrival);
    } finally {
      this.isFlushing = isFlushing;
    }
  }
}
