import { ClusterError } from '@mcpmux/cluster';

import { SYSTEM_CLOCK, type WaitClock } from './waiting.js';

/** How long to retry, in milliseconds: long enough for NATS to elect a new leader. */
const RETRY_LIMIT_MS = 15_000;
const RETRY_PAUSE_MS = 500;

/**
 * Retries `work` while the cluster's engine is unavailable, for example while NATS elects a new leader.
 *
 * @throws ClusterError the last error after 15 seconds, or the first error that a retry cannot resolve
 */
export async function retryUntilAvailable<Result>(
  work: () => Promise<Result>,
  { now, pause }: WaitClock = SYSTEM_CLOCK,
): Promise<Result> {
  const deadline = now() + RETRY_LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isTemporary = error instanceof ClusterError && error.code === 'UNAVAILABLE';
      if (!isTemporary || now() > deadline) throw error;
      await pause(RETRY_PAUSE_MS);
    }
  }
}
