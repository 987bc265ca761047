import type { EventStore } from './event-store.js';
import type { EventStream } from './event-stream.js';

/** One stream of a session, independent of its connection. A client whose connection broke can resume it. */
export class SessionStream {
  private connection: EventStream | undefined;
  /** True if the client knows an event of this stream. */
  private isKnown = false;

  constructor(
    readonly id: string,
    private readonly store: EventStore,
  ) {}

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  /**
   * Continues on another connection. The older connection ends, because its client has lost it and mcpmux has not
   * noticed yet.
   */
  connect(connection: EventStream): void {
    this.connection?.end();
    this.connection = connection;
  }

  disconnected(connection: EventStream): void {
    if (this.connection === connection) this.connection = undefined;
  }

  /** Sends an event id, so that the client can reconnect before it gets any event. */
  mark(): void {
    this.isKnown = true;
    this.connection?.mark(this.store.mark(this.id));
  }

  /** Sends the events that the client has missed after the given event. */
  replay(lastEventId: string): void {
    this.isKnown = true;
    for (const { id, line } of this.store.missedSince(lastEventId)) this.connection?.event(id, line);
  }

  /** Sends a line, or stores it for a client that can reconnect. */
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
