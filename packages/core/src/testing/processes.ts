/** The effects on processes that tests of other packages watch. */
export { processGroup } from '../process/process-group.js';
export { ABORT_TIMINGS, longestStopMs } from '../process/stop-ladder.js';
