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

/** The part of an `AbortSignal` that a mux reads. A host with many callers may have a cheaper object. */
export type WaitSignal = Pick<AbortSignal, 'aborted' | 'addEventListener' | 'removeEventListener'>;

/** The signals that end a caller's wait for the answer to a message without a connection. */
export interface Patience {
  /** Aborted when the caller has gone. */
  readonly signal?: WaitSignal | undefined;
  /** Aborted when the caller must be answered at once. */
  readonly ending?: WaitSignal | undefined;
}

/** The work on one message without a connection. */
export interface ServedMessage {
  /** Resolves when the message needs no further answer. */
  readonly ended: Promise<unknown>;
  start(): void;
  /** Ends the work in order: open exchanges get `drainMs`, then an answer. */
  finish(drainMs: number): Promise<void>;
  /** Ends the work at once. */
  close(): void;
}

/**
 * Serves one message without a connection, and passes the lines for it to `reply`. Resolves when the message needs no
 * further answer.
 *
 * @throws the first error that `reply` threw
 */
export async function serveStateless(
  reply: Reply,
  { signal, ending }: Patience,
  begin: (pipe: ClientPipe) => ServedMessage,
): Promise<void> {
  if (signal?.aborted === true) return;
  const failures: unknown[] = [];
  const pipe = replyPipe(reply, (error) => {
    failures.push(error);
    // Closed later, because the exchange that is being answered is still running.
    queueMicrotask(() => served.close());
  });
  const served = begin(pipe);
  const abort = (): void => served.close();
  const end = (): void => void served.finish(0);
  signal?.addEventListener('abort', abort, { once: true });
  ending?.addEventListener('abort', end, { once: true });
  try {
    served.start();
    if (ending?.aborted === true) end();
    await served.ended;
  } finally {
    signal?.removeEventListener('abort', abort);
    ending?.removeEventListener('abort', end);
    served.close();
  }
  for (const error of failures) throw error;
}
