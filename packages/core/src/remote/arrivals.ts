import { HeldLines } from './held-lines.js';
import type { Flow } from './response-body.js';

/** Something that comes after the lines that came before it. */
type Arrival = Buffer | (() => void);

/**
 * The lines of one server, from all of its responses. Those that come in one turn of the event loop are delivered
 * together, so that they leave in one write.
 */
export class Arrivals implements Flow {
  private arrived: Arrival[] = [];
  private readonly held: HeldLines;

  constructor(deliver: (line: Buffer) => void) {
    this.held = new HeldLines(deliver);
  }

  get isPaused(): boolean {
    return this.held.isPaused;
  }

  /** A line, or a function that is called once the lines before it have been taken. */
  add(arrival: Arrival): void {
    if (this.arrived.push(arrival) === 1) setImmediate(() => this.flush());
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

  private flush(): void {
    const arrived = this.arrived;
    this.arrived = [];
    for (const arrival of arrived) {
      if (Buffer.isBuffer(arrival)) this.held.push(arrival);
      else if (this.held.isPaused) void this.held.whenTaken().then(arrival);
      else arrival();
    }
  }
}
