import { afterCallback } from '@mcpmux/kit';
import { inOnePiece, type OutgoingLine, type RawId } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/** The pipe that sends lines to one client. */
export interface ClientPipe {
  /** False if the client accepts only lines that belong to its request. */
  readonly isStanding: boolean;
  /** Starts reading. */
  open(): void;
  /** Sends a line. See `Caller.send` for `from` and `isShared`, `Channel.send` for `answers`. */
  send(line: OutgoingLine, from?: Connection, isShared?: boolean, answers?: RawId): void;
  /** Stops reading. Only open requests are then answered. */
  stopReading(): void;
  /** Resolves when the queued lines are sent, or after a time limit. */
  flush(): Promise<void>;
  close(): void;
}

/** Receives a line for a request without a connection. The line has no newline. */
export type Reply = (line: Buffer, isResponse: boolean) => void;

/**
 * Returns the pipe for one request without a connection. Each line goes to `reply` until the pipe is closed. `failed`
 * receives the errors of `reply`, which must not interrupt other work in the same read scope.
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

/** The part of an `AbortSignal` that a mux uses. A host with many callers may pass a cheaper object. */
export type WaitSignal = Pick<AbortSignal, 'aborted' | 'addEventListener' | 'removeEventListener'>;

/** The signals that end the wait for the answer to a message without a connection. */
export interface Patience {
  /** Aborted when the caller has disconnected. */
  readonly signal?: WaitSignal | undefined;
  /** Aborted when the caller must be answered immediately. */
  readonly ending?: WaitSignal | undefined;
}

/** The work on one message without a connection. */
export interface ServedMessage {
  /** Resolves when the message needs no further answer. */
  readonly ended: Promise<unknown>;
  start(): void;
  /** Ends the work gracefully. Open exchanges get `drainMs`, then an answer. */
  finish(drainMs: number): Promise<void>;
  /** Ends the work immediately. */
  close(): void;
}

/**
 * Serves one message without a connection, and passes its lines to `reply`. Resolves when the message needs no further
 * answer.
 *
 * @throws the first error that `reply` has thrown
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
    // Closed later, because the current exchange is still running.
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
