import { ClusterError } from '@mcpmux/cluster';

const TRIES = 15;
const PAUSE_MS = 500;

/** The ends of {@link patiently}, beside success. */
export interface PatienceParts {
  /** True if an error stays. */
  readonly isHopeless?: (error: unknown) => boolean;
  /** Aborted when nobody needs the result any more: the wait ends at once, also for a server that does not answer. */
  readonly ended?: AbortSignal;
}

/**
 * Repeats work until it succeeds, for some seconds: servers of NATS that have just started, or have lost their leader,
 * choose one first.
 *
 * @throws ClusterError UNAVAILABLE when `ended` is aborted; the last error of the work otherwise
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  { isHopeless = () => false, ended = new AbortController().signal }: PatienceParts,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await unless(ended, work);
    } catch (error) {
      if (tries >= TRIES || ended.aborted || isHopeless(error)) throw error;
      await unless(ended, () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)));
    }
  }
}

async function unless<Result>(ended: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const closed = new ClusterError('UNAVAILABLE', 'The connection to NATS has been closed.');
  if (ended.aborted) throw closed;
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    ended.addEventListener('abort', () => reject(closed), { signal: over.signal });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    over.abort();
  }
}
