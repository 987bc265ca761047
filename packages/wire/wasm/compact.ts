/**
 * The same as value-end.ts for JSON without white space, by other means: grammar.ts reads blocks of 64 bytes, and where an
 * array of objects is found in them, row-runs.ts reads those of its elements that are alike.
 *
 * What is taken here is right. What is not taken may be right as well: where there is white space, much nesting, a
 * fraction of more than 64 digits before an exponent, or a string that ends in what looks like the begin of a row.
 * value-end.ts takes it from the beginning then.
 */
import { beginValue, GAVE_UP, isDone, NO_LIMIT, readBlocks, values } from './grammar';
import { BEHIND } from './memory';
import { beginRuns, isAtRow, readRows, wasWorthIt } from './row-runs';

/** So many bytes are read by blocks before rows are looked for again: twice as many each time that it was in vain. */
const FIRST_PAUSE: u32 = 1024;
const LONGEST_PAUSE: u32 = 16 * 1024;

let pause: u32 = 0;

/** Comes before the first piece of a value, which begins with a bracket and may hold so many levels of them. */
export function beginCompact(levels: u32): void {
  beginValue(levels);
  beginRuns();
  pause = FIRST_PAUSE;
}

/** Whether the value is over. */
export function isCompactDone(): bool {
  return isDone;
}

/** Values so far on all levels, the outermost included. */
export function compactValues(): u32 {
  return values;
}

/**
 * Reads a piece of `length` bytes at `from`. Returns how many of them were understood, and the next piece begins behind
 * those; or -1 when the value is not taken. The 64 bytes before a piece that is not the first are those of the text.
 *
 * What stands behind the last piece is looked at too: the caller refuses a value that ends there.
 */
export function readCompact(from: u32, length: u32, isLast: bool): i32 {
  const end = from + length;
  const stop = isLast ? end : end - BEHIND + 1;
  let at = from;
  while (at < stop) {
    at = readRows(at, stop, end);
    if (wasWorthIt) pause = 0;
    if (isAtRow) break;
    if (at != GAVE_UP && !isDone && at < stop) at = readPause(at, stop);
    if (at == GAVE_UP) return -1;
    if (isDone) break;
  }
  return at - from;
}

/** Reads by blocks, so that what looks for rows in vain does not cost much. */
function readPause(from: u32, stop: u32): u32 {
  const at = readBlocks(from, min(from + pause, stop), NO_LIMIT);
  pause = min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE);
  return at;
}
