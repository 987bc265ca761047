import { inOnePiece, type OutgoingLine } from '@mcpmux/wire';
import type { Connection } from '../../upstream/link/connection.js';

/** The way back to one client. */
export interface ClientPipe {
  /** False where only lines that belong to a request may be sent: nobody listens otherwise. */
  readonly isStanding: boolean;
  /** Sends a line. See `Caller.send` for `from` and `isShared`. */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean): void;
  /** Reads nothing more: from here on only open requests are answered. */
  stopReading(): void;
  /** Resolves when the queued lines have left, or have had their time. */
  flush(): Promise<void>;
  close(): void;
}

/** The way back for one request without a connection: each line goes to `reply`, without its newline. */
export function replyPipe(reply: (line: Buffer) => void): ClientPipe {
  return {
    isStanding: false,
    send: (line) => reply(inOnePiece(line).subarray(0, -1)),
    stopReading: () => undefined,
    flush: () => Promise.resolve(),
    close: () => undefined,
  };
}
