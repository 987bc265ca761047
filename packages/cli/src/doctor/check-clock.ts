import { ok, warning, type Finding } from './finding.js';

/** mcpmux is younger. */
const EARLIEST = Date.UTC(2026, 0, 1);
const TOLERANCE_MS = 24 * 3_600_000;

/**
 * Whether the clock can be right: certificates and tokens are not valid by a wrong one.
 *
 * @param now of the clock, in milliseconds since 1970
 * @param newest when a file was written last, by the same clock
 */
export function checkClock(now: number, newest: number): Finding {
  if (now >= EARLIEST && newest - now <= TOLERANCE_MS) return ok('clock', 'agrees with the dates of files');
  const date = new Date(now).toISOString().slice(0, 10);
  return warning(
    'clock',
    `it is ${date} by the clock of this computer, which is in the past`,
    'set the clock: servers at urls look as if their certificates were not valid',
  );
}
