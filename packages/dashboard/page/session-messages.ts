import { lines, RequestError, type Json } from './connection.js';
import { waitBefore } from './follow.js';

/** Receives the messages of one session. */
export interface ReportedMessages {
  readonly batch: (batch: Json) => void;
  /** Called when mcpmux does not respond. The messages until the next batch are lost. */
  readonly away: () => void;
  /** Called when the session has ended. */
  readonly gone: () => void;
}

/** Follows the messages of a session until it ends or the signal is aborted. Reconnects after interruptions. */
export async function followMessages(
  session: number,
  signal: AbortSignal,
  { batch, away, gone }: ReportedMessages,
): Promise<void> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      for await (const line of lines(`messages?session=${session}`, undefined, signal)) {
        tries = 0;
        batch(line);
      }
    } catch (error) {
      if (signal.aborted) return;
      // An mcpmux that responds no longer knows the session, or no longer knows the page. The page itself reports the
      // latter.
      if (error instanceof RequestError) return error.status === 404 ? gone() : undefined;
      away();
    }
    await new Promise((resolve) => setTimeout(resolve, waitBefore(tries)));
  }
}
