import { ClusterError } from '@mcpmux/cluster';

/** How long an engine may choose a leader. */
const LIMIT_MS = 15_000;
const PAUSE_MS = 500;

/** The clock of {@link whenAvailable}. */
export interface Waiting {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

const WAITING: Waiting = {
  now: () => performance.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Repeats work that the engine of the cluster cannot do now: an engine that has just lost a server chooses a leader.
 *
 * @throws ClusterError the last one, after 15 seconds, or one that stays
 */
export async function whenAvailable<Result>(
  work: () => Promise<Result>,
  { now, pause }: Waiting = WAITING,
): Promise<Result> {
  const until = now() + LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isTemporary = error instanceof ClusterError && error.code === 'UNAVAILABLE';
      if (!isTemporary || now() > until) throw error;
      await pause(PAUSE_MS);
    }
  }
}
