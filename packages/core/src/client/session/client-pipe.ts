import { afterCallback } from '@mcpmux/kit';
import { inOnePiece, type OutgoingLine, type RawId } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/** The pipe that sends lines to one client. */
export interface ClientPipe {
  /** False if only lines that belong to a request may be sent, because the client does not listen otherwise. */
  readonly isStanding: boolean;
  /** Starts reading. */
  open(): void;
  /** Sends a line. See `Caller.send` for `from` and `isShared`, `Channel.send` for `answers`. */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean, answers?: RawId): void;
  /** Stops reading. From then on, only open requests are answered. */
  stopReading(): void;
  /** Resolves when the queued lines are sent, or after a time limit. */
  flush(): Promise<void>;
  close(): void;
}

/** Takes a line that belongs to a request without a connection, without its newline. */
export type Reply = (line: Buffer, isResponse: boolean) => void;

/**
 * Returns the pipe for one request without a connection. Each line goes to `reply` until the pipe is closed. `failed`
 * gets the errors that `reply` throws, because an error must not interrupt other work in the same read scope.
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
