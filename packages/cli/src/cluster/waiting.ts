import { setTimeout } from 'node:timers/promises';

/** The clock and the timer of a loop that waits for a cluster. */
export interface WaitClock {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** The clock and the timer of this process. */
export const SYSTEM_CLOCK: WaitClock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };
