import { setTimeout } from 'node:timers/promises';

/** The clock and timer of a loop that waits for a cluster. */
export interface WaitClock {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** This process's clock and timer. */
export const SYSTEM_CLOCK: WaitClock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };
