import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/** The pipe that sends lines to one client. */
export interface ClientPipe {
  /** False if the client accepts only lines that belong to its single request. */
  readonly isPersistent: boolean;
  /** Starts reading from the client. */
  open(): void;
  /** Sends a line. See `Caller.send` for `from` and `isShared`, and `Channel.send` for `answers`. */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean, answers?: RawId): void;
  /** Stops reading from the client. Requests that are already open are still answered. */
  stopReading(): void;
  /** Resolves when the queued lines are sent, or after a time limit. */
  flush(): Promise<void>;
  close(): void;
}
