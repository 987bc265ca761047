import { HeldLines } from './held-lines.js';
import { partsLength, type LineParts } from './line-parts.js';
import type { Flow } from './response-body.js';

/** Something that comes after the lines that came before it. */
type Arrival = LineParts | (() => void);

/** A line from this size on leaves in a write of its own. */
const LARGE_BYTES = 64 * 1024;

/**
 * The lines of one server, from all of its responses. Those that come in one turn of the event loop are delivered
 * together, so that they leave in one write. A large one is delivered at once, with those before it: the server waits as
 * soon as the client does, and no more of such lines is kept than need be.
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

  /** A line, or a function that is called once the lines before it have been taken. */
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

  /** Resolves when what has come so far is delivered. */
  whenDelivered(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  /** Delivers all that has come, also while it is paused: the end comes next. */
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
