import { ok, warning, type Finding } from './finding.js';

/** The earliest plausible time: mcpmux did not exist before then. */
const EARLIEST_VALID_MS = Date.UTC(2026, 0, 1);
const TOLERANCE_MS = 24 * 3_600_000;

/**
 * Checks the clock, because a wrong clock makes certificates and tokens seem expired or not yet valid.
 *
 * @param now the clock's current time, in milliseconds since 1970
 * @param newest the modification time of an existing file, in milliseconds since 1970. A much earlier clock is wrong.
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
