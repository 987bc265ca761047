import { afterCallback } from '@mcpmux/kit';
import { inOnePiece, type OutgoingLine, type RawId } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/** The way back to one client. */
export interface ClientPipe {
  /** False where only lines that belong to a request may be sent: nobody listens otherwise. */
  readonly isStanding: boolean;
  /** Begins to read. */
  open(): void;
  /** Sends a line. See `Caller.send` for `from` and `isShared`, `Channel.send` for `answers`. */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean, answers?: RawId): void;
  /** Reads nothing more: from here on only open requests are answered. */
  stopReading(): void;
  /** Resolves when the queued lines have left, or have had their time. */
  flush(): Promise<void>;
  close(): void;
}

/** Takes a line that belongs to a request without a connection, without its newline. */
export type Reply = (line: Buffer, isResponse: boolean) => void;

/**
 * The way back for one request without a connection: each line goes to `reply` until the pipe is closed. `failed` gets
 * what `reply` throws: an error must not end what else is done in the same read scope.
 */
export function replyPipe(reply: Reply, failed: (error: unknown) => void): ClientPipe {
  let isClosed = false;
  const fail = (error: unknown): void => {
    isClosed = true;
    failed(error);
  };
  return {
    isStanding: false,
    open: () => undefined,
    send: (line, _from, _isShared, answers) => {
      if (isClosed) return;
      try {
        afterCallback(reply(inOnePiece(line).subarray(0, -1), answers !== undefined), fail);
      } catch (error) {
        fail(error);
      }
    },
    stopReading: () => undefined,
    flush: () => Promise.resolve(),
    close: () => {
      isClosed = true;
    },
  };
}
