import { replyPipe, type ClientPipe, type Reply } from './client-pipe.js';

/** The signals that end a caller's wait for the answer to a message without a connection. */
export interface Patience {
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the caller must be answered at once. */
  readonly ending?: AbortSignal | undefined;
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
