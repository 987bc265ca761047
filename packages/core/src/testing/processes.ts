import { KILL_GRACE_MS, type StopTimings } from '../process/stop-ladder.js';

/** The effects on processes that tests of other packages watch. */
export { processGroup } from '../process/process-group.js';
export { ABORT_TIMINGS } from '../process/stop-ladder.js';

/** Returns the maximum duration of a stop. After it, no process is left, except processes that cannot be ended. */
export function longestStopMs({ eofGraceMs, termGraceMs }: StopTimings): number {
  return eofGraceMs + termGraceMs + KILL_GRACE_MS;
}
