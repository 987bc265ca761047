/**
 * A column is what stands at the same place in all rows. At first all are variable: their values may have any length. What
 * keeps its length for a while becomes fixed: it is checked together with what stands around it. When a value then has another
 * length, the column stays fixed with that one, unless it came too soon.
 */
import { COLUMNS, TILES } from './memory';
import { COLUMN_BYTES, columns, fixedBytes, VALUE, VALUE_LENGTH } from './row-values';
import { plainEnd } from './text';
import { HAS_CHANGED, HAS_VALUE, LENGTH, TILE_BYTES, tilesEnd } from './tile';

/** What stands in a column behind what row-values.ts notes. */
export const IS_VARIABLE: usize = 8;

/** A longer value is not taken to be as long again. */
const LONGEST: u32 = 64;
/** After so many rows the columns that have not changed are fixed; after twice as many that is done again, and so on. */
const FIRST_PERIOD: u32 = 16;
const LONGEST_PERIOD: u32 = 4096;
/**
 * A fixed column in which a value differs is variable again when that comes within so many rows of the last difference, or of
 * the begin of the period. Later it stays fixed, with the new length: a counter that goes from 99 to 100. When that happens so
 * often too soon, one time behind the other, all columns are variable: to fix them was not worth it.
 */
const SHORT_RUN: u32 = 32;
const MOST_SHORT_RUNS: u32 = 3;

/** Columns, and bytes that belong to none, of the rows that the tiles are of; no bytes when there are no tiles. */
let knownColumns: u32 = 0;
let knownBytes: u32 = 0;
/** The row before was other and was not learned for that. */
let wasOther: bool = false;
let period: u32 = 0;
/** So many rows had the shape since the last one that had not, or since the period began. */
let rowsOfShape: u32 = 0;
let shortRuns: u32 = 0;

/** From here on nothing is known of any row. */
export function forgetColumns(): void {
  knownBytes = 0;
  wasOther = false;
}

/** So many more rows may be read before the columns are looked at again. */
export function rowsOfPeriod(): u32 {
  return period - rowsOfShape;
}

/** At the end of a period: whether there are columns to be fixed. If not, the next one begins. */
export function areSomeUnchanged(): bool {
  for (let tile = TILES; tile < tilesEnd; tile += TILE_BYTES) {
    if (load<u32>(tile, LENGTH) >= HAS_VALUE && load<u32>(tile, HAS_CHANGED) == 0) return true;
  }
  for (let tile = TILES; tile < tilesEnd; tile += TILE_BYTES) store<u32>(tile, 0, HAS_CHANGED);
  beginPeriod();
  return false;
}

function beginPeriod(): void {
  period = min(2 * period, LONGEST_PERIOD);
  rowsOfShape = 0;
}

/** So many more rows had the shape. */
export function noteRows(more: u32): void {
  rowsOfShape += more;
  if (more != 0) wasOther = false;
}

/**
 * Decides which columns of the row read last are variable. Returns false when the row is the first one that is other than
 * those before: it may be the only one, so the tiles of the others are kept.
 */
export function decideColumns(differsAt: u32): bool {
  const isLike = columns == knownColumns && fixedBytes == knownBytes;
  wasOther = !isLike && knownBytes != 0 && !wasOther;
  if (wasOther) return false;
  if (!isLike) {
    period = FIRST_PERIOD;
    shortRuns = 0;
    loosenAll();
  } else if (rowsOfShape == period) {
    fixColumns();
    beginPeriod();
  } else {
    const isShort = rowsOfShape < SHORT_RUN;
    shortRuns = isShort ? shortRuns + 1 : 0;
    if (shortRuns == MOST_SHORT_RUNS) {
      shortRuns = 0;
      loosenAll();
      beginPeriod();
    } else if (isShort) loosenColumn(differsAt);
  }
  knownColumns = columns;
  knownBytes = fixedBytes;
  rowsOfShape = 0;
  return true;
}

@inline
export function columnsEnd(): usize {
  return COLUMNS + columns * COLUMN_BYTES;
}

/** Of the columns that are variable, those remain so that have changed, as their tiles say. */
function fixColumns(): void {
  let tile = TILES;
  for (let column = COLUMNS; column < columnsEnd(); column += COLUMN_BYTES) {
    if (load<u32>(column, IS_VARIABLE) == 0) continue;
    while (load<u32>(tile, LENGTH) < HAS_VALUE) tile += TILE_BYTES;
    if (load<u32>(tile, HAS_CHANGED) == 0 && isFixable(column)) store<u32>(column, 0, IS_VARIABLE);
    tile += TILE_BYTES;
  }
}

/** Tiles take no escapes. */
function isFixable(column: usize): bool {
  const at = load<u32>(column, VALUE);
  const length = load<u32>(column, VALUE_LENGTH);
  if (length > LONGEST) return false;
  return load<u8>(at) != 0x22 || plainEnd(at + 1) == at + length - 1;
}

/** The column whose value was not as foreseen there is variable again. */
function loosenColumn(differsAt: u32): void {
  for (let column = COLUMNS; column < columnsEnd(); column += COLUMN_BYTES) {
    const at = load<u32>(column, VALUE);
    if (at <= differsAt && differsAt <= at + load<u32>(column, VALUE_LENGTH)) store<u32>(column, 1, IS_VARIABLE);
  }
}

function loosenAll(): void {
  for (let column = COLUMNS; column < columnsEnd(); column += COLUMN_BYTES) store<u32>(column, 1, IS_VARIABLE);
}
