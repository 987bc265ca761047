import type { EventStore } from './event-store.js';
import type { EventStream } from './event-stream.js';

/** One stream of a session, independent of its connection. A client can resume the stream on a new connection. */
export class SessionStream {
  private connection: EventStream | undefined;
  /** True if the client has received an event id from this stream. */
  private isResumable = false;

  constructor(
    readonly id: string,
    private readonly store: EventStore,
  ) {}

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  /**
   * Moves the stream to another connection. Ends the old one if it is still open, because the client must have lost it.
   */
  connect(connection: EventStream): void {
    this.connection?.end();
    this.connection = connection;
  }

  disconnect(connection: EventStream): void {
    if (this.connection === connection) this.connection = undefined;
  }

  /** Sends an event id, so that the client can resume the stream even before the first message. */
  sendPosition(): void {
    this.isResumable = true;
    this.connection?.sendPosition(this.store.issueId(this.id));
  }

  /** Sends the events after the last event that the client has received. */
  replay(lastEventId: string): void {
    this.isResumable = true;
    for (const { id, line } of this.store.eventsAfter(lastEventId)) this.connection?.sendEvent(id, line);
  }

  /** Sends a line, and stores it in case the client reconnects. */
  send(line: Buffer): void {
    if (this.connection === undefined && !this.isResumable) return;
    this.isResumable = true;
    const id = this.store.add(this.id, line);
    this.connection?.sendEvent(id, line);
  }

  end(): void {
    this.connection?.end();
    this.connection = undefined;
  }
}
