/** Finds rows in a text and reads them in runs: the shape of one is learned, and those behind it are read until one differs. */
import { areSomeUnchanged, forgetColumns, noteRows, rowsOfPeriod } from './columns';
import { beginElement, countValues, readBlocks, readText } from './grammar';
import { learnShape, valuesOfRow } from './row-shape';
import { nextRow, NO_ROW } from './row-starts';
import { differsAt, isCut, rows, rowsEnd } from './rows';

/** Of a row that nothing was foreseen of. */
const NOWHERE: u32 = 0;

/** The begin of a row is looked for in so many bytes. */
const SEARCHED: u32 = 2048;
/** To learn a shape was worth it if so many bytes had it: a shorter run of rows costs more than to read them by blocks. */
const WORTHWHILE: u32 = 1024;
/** So many runs that were not worth it may come before one more ends the search: each shows what differs between the rows. */
const MOST_TRIES: u32 = 8;

/** The next byte begins a row, and a shape of rows is known. */
export let isAtRow: bool = false;
/** Whether some of the rows read last were worth it. */
export let wasWorthIt: bool = false;
/** So many rows of the value were only compared with others. */
export let rowsRead: u32 = 0;
let tries: u32 = 0;

/** Comes before the first piece of a value. */
export function beginRuns(): void {
  isAtRow = false;
  rowsRead = 0;
  tries = MOST_TRIES;
  forgetColumns();
}

/** Reads on to the next row, and all behind it. Reads no further than a string where there is none. */
export function readRows(from: u32, stop: u32, end: u32): u32 {
  wasWorthIt = false;
  let at = isAtRow ? from : readFirstRow(from, stop);
  while (isAtRow) {
    const run = at;
    const most = rowsOfPeriod();
    at = rowsEnd(run, end, most);
    countValues(rows * valuesOfRow);
    noteRows(rows);
    rowsRead += rows;
    // The next piece begins with the rest of them, unless the row is longer than a piece.
    if (isCut && at > run) return at;
    if (rows == most && !areSomeUnchanged()) continue;
    isAtRow = false;
    if (at - run >= WORTHWHILE) {
      wasWorthIt = true;
      tries = MOST_TRIES;
    } else if (rows < most) {
      if (tries == 0) return at;
      tries -= 1;
    }
    at = readRow(at, stop, differsAt);
  }
  return at;
}

function readFirstRow(from: u32, stop: u32): u32 {
  const at = readText(from, stop);
  const row = nextRow(at, min(at + SEARCHED, stop));
  if (row == NO_ROW) return at;
  const behind = readElement(at, row);
  return behind == row ? readRow(row, stop, NOWHERE) : behind;
}

/** Reads the row at `row` and learns its shape, in this order: only what is right may be learned. */
function readRow(row: u32, stop: u32, differsAt: u32): u32 {
  const next = nextRow(row, min(row + SEARCHED, stop));
  if (next == NO_ROW) return row;
  const at = readElement(row, next);
  isAtRow = at == next && learnShape(row, next, differsAt);
  return at;
}

/** Reads up to the begin of an element. */
function readElement(from: u32, element: u32): u32 {
  const at = readBlocks(from, element, element);
  if (at == element) beginElement();
  return at;
}
