import { ClusterError } from '@mcpmux/cluster';

const MAX_ATTEMPTS = 15;
const RETRY_DELAY_MS = 500;

/** The conditions that end {@link retryUntilReady} without success. */
export interface RetryConditions {
  /** Returns true for an error that a retry cannot resolve. */
  readonly isPermanentError?: (error: unknown) => boolean;
  /** Aborted when the result is no longer needed. The call then rejects without waiting for the server. */
  readonly endSignal?: AbortSignal;
}

/**
 * Repeats an operation until it succeeds, for a limited number of attempts. NATS servers that have just started or lost
 * their leader must first elect one.
 *
 * @throws ClusterError UNAVAILABLE if the signal is aborted, otherwise the operation's last error
 */
export async function retryUntilReady<Result>(
  work: () => Promise<Result>,
  { isPermanentError = () => false, endSignal = new AbortController().signal }: RetryConditions,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await rejectOnAbort(endSignal, work);
    } catch (error) {
      if (tries >= MAX_ATTEMPTS || endSignal.aborted || isPermanentError(error)) throw error;
      await rejectOnAbort(endSignal, () => new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS)));
    }
  }
}

async function rejectOnAbort<Result>(endSignal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const closedError = new ClusterError('UNAVAILABLE', 'The connection to NATS has been closed.');
  if (endSignal.aborted) throw closedError;
  const controller = new AbortController();
  const whenAborted = new Promise<never>((_, reject) => {
    endSignal.addEventListener('abort', () => reject(closedError), { signal: controller.signal });
  });
  try {
    return await Promise.race([work(), whenAborted]);
  } finally {
    controller.abort();
  }
}
