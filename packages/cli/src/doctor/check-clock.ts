import { ok, warning, type Finding } from './finding.js';

/** The earliest valid time, because mcpmux did not exist before. */
const EARLIEST_VALID_MS = Date.UTC(2026, 0, 1);
const TOLERANCE_MS = 24 * 3_600_000;

/**
 * Checks the clock, because certificates and tokens are invalid if it is wrong.
 *
 * @param now the time of the clock, in milliseconds since 1970
 * @param newest the time of the last write to a file, in milliseconds since 1970
 */
export function checkClock(now: number, newest: number): Finding {
  if (now >= EARLIEST_VALID_MS && newest - now <= TOLERANCE_MS)
    return ok('clock', 'agrees with the dates of files');
  const date = new Date(now).toISOString().slice(0, 10);
  return warning(
    'clock',
    `the clock of this computer says ${date}, which is in the past`,
    'set the clock: with a wrong clock, certificates of servers at urls are not valid',
  );
}
