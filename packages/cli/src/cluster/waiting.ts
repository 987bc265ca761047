import { setTimeout } from 'node:timers/promises';

/** The clock and timer of a polling loop. */
export interface WaitClock {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** The real clock and timer. */
export const SYSTEM_CLOCK: WaitClock = { now: () => performance.now(), pause: (ms) => setTimeout(ms) };
