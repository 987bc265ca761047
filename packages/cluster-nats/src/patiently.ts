const TRIES = 15;
const PAUSE_MS = 500;

/**
 * Repeats work until it succeeds, for some seconds: servers of NATS that have just started, or have lost their leader,
 * choose one first.
 *
 * @param isHopeless whether an error is one that stays
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  isHopeless: (error: unknown) => boolean,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= TRIES || isHopeless(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
