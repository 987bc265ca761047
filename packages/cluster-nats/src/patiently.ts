import { ClusterError } from '@mcpmux/cluster';

const TRIES = 15;
const PAUSE_MS = 500;

/** The conditions, apart from success, on which {@link patiently} ends. */
export interface PatienceParts {
  /** True if an error is permanent. */
  readonly isHopeless?: (error: unknown) => boolean;
  /** Aborted when the result is no longer needed. The wait then ends at once, even if the server does not answer. */
  readonly ended?: AbortSignal;
}

/**
 * Repeats work until it succeeds, for some seconds. NATS servers that have just started, or have lost their leader,
 * must first elect a leader.
 *
 * @throws ClusterError UNAVAILABLE when `ended` is aborted; otherwise the last error of the work
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
