import type { EventStore } from './event-store.js';
import type { EventStream } from './event-stream.js';

/** One stream of a session, whichever connection it is on: a client whose connection broke takes it up again. */
export class SessionStream {
  private connection: EventStream | undefined;
  /** The client knows an event of it. */
  private isKnown = false;

  constructor(
    readonly id: string,
    private readonly store: EventStore,
  ) {}

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  /** Goes on on another connection. The older one ends: its client has lost it, and mcpmux has not noticed yet. */
  connect(connection: EventStream): void {
    this.connection?.end();
    this.connection = connection;
  }

  disconnected(connection: EventStream): void {
    if (this.connection === connection) this.connection = undefined;
  }

  /** Lets the client come back before it has got any event. */
  mark(): void {
    this.isKnown = true;
    this.connection?.mark(this.store.mark(this.id));
  }

  /** Sends the events that the client has missed after one of its events. */
  replay(lastEventId: string): void {
    this.isKnown = true;
    for (const { id, line } of this.store.missedSince(lastEventId)) this.connection?.event(id, line);
  }

  /** Sends a line, or keeps it for a client that can come back for it. */
  send(line: Buffer): void {
    if (this.connection === undefined && !this.isKnown) return;
    this.isKnown = true;
    const id = this.store.add(this.id, line);
    this.connection?.event(id, line);
  }

  end(): void {
    this.connection?.end();
    this.connection = undefined;
  }
}
