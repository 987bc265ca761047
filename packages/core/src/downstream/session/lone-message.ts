import { replyPipe, type ClientPipe, type Reply } from './client-pipe.js';
import type { Session } from './session.js';

/** When the caller of a message without a connection waits no longer. */
export interface Patience {
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the caller is to be answered at once. */
  readonly ending?: AbortSignal | undefined;
}

/** One message without a connection, and the destination of the lines that belong to it. */
export interface LoneMessage {
  readonly line: Buffer;
  readonly reply: Reply;
}

/**
 * Serves the message in a session of its own, which `begin` opens. Resolves when the message needs no further answer.
 *
 * @throws the errors that `reply` threw
 */
export async function serveLone(
  { line, reply }: LoneMessage,
  { signal, ending }: Patience,
  begin: (pipeOf: (session: Session) => ClientPipe) => Session,
): Promise<void> {
  if (signal?.aborted === true) return;
  const failures: unknown[] = [];
  const pipeOf = (of: Session): ClientPipe =>
    replyPipe(reply, (error) => {
      failures.push(error);
      // Not now: the exchange that is answered right here is still at work.
      queueMicrotask(() => of.close());
    });
  const session = begin(pipeOf);
  const abort = (): void => session.close();
  const end = (): void => void session.finish(0);
  signal?.addEventListener('abort', abort, { once: true });
  ending?.addEventListener('abort', end, { once: true });
  try {
    session.decoder.line(line);
    if (ending?.aborted === true) end();
    await Promise.race([session.exchanges.whenIdle(), session.closed]);
  } finally {
    signal?.removeEventListener('abort', abort);
    ending?.removeEventListener('abort', end);
    session.close();
  }
  for (const error of failures) throw error;
}
