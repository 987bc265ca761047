import { setTimeout } from 'node:timers/promises';

/** The clock of a loop that waits for a cluster. */
export interface Waiting {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** The clock of this process. */
export const WAITING: Waiting = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };
