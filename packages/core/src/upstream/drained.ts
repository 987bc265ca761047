import { waitAtMost, type Clock } from '../clock.js';
import type { Attempt } from './attempt.js';

/** Resolves when no call of the run is in flight any more, or when its time is over. */
export async function drained(attempt: Attempt, drainMs: number, clock: Clock): Promise<void> {
  if (attempt.isServing && attempt.live !== undefined)
    await waitAtMost(drainMs, attempt.live.whenIdle(), clock);
}
