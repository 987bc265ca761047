/**
 * A column is what stands at the same place in all rows. One is fixed as long as its values have the same length and the
 * same kinds of bytes, or they seldom change these: then the shape is learned anew.
 */
import { COLUMNS } from './memory';
import { COLUMN_BYTES, columns, fixedBytes, VALUE, VALUE_LENGTH } from './row-values';

/** What stands in a column behind what row-values.ts notes: how long its value was in the shape learned last, */
const LEARNED_LENGTH: usize = 8;
/** and how often that was another one, or VARIABLE. */
const CHANGES: usize = 12;
const VARIABLE: u32 = -1;

/** A longer value is not taken to be as long again. */
const LONGEST: u32 = 64;
/** What has changed behind fewer rows than that changes often; */
const FEW_ROWS: u32 = 6;
/** so does what changes more than once in so many rows, */
const ROWS_A_CHANGE: u32 = 32;
/** and all that changes where shapes are learned more than once in so many rows. */
const ROWS_A_SHAPE: u32 = 20;

/** Columns, and bytes that belong to none, of the shape learned last. */
let learnedColumns: u32 = 0;
let learnedBytes: u32 = 0;
/** Rows and shapes since these columns were first seen, and rows since the last shape. */
let rows: u32 = 0;
let shapes: u32 = 0;
let run: u32 = 0;
/** The row before had other columns. */
let isOther: bool = false;

/** Comes before the first row of a value. */
export function forgetColumns(): void {
  learnedColumns = 0;
  learnedBytes = 0;
  isOther = false;
}

/** So many more rows had the shape learned last. */
export function noteRows(more: u32): void {
  rows += more;
  run += more;
  if (more != 0) isOther = false;
}

/**
 * Whether the shape of the row read last is to be learned. One that is not like the others may be the only one, so it
 * is not learned before the next one is not like them either.
 */
export function isWorthLearning(): bool {
  const isLike = columns == learnedColumns && fixedBytes == learnedBytes;
  const isFirstOther = !isLike && learnedBytes != 0 && !isOther;
  isOther = isFirstOther;
  if (isFirstOther) return false;
  if (!isLike) learnNew();
  return true;
}

function learnNew(): void {
  learnedColumns = columns;
  learnedBytes = fixedBytes;
  rows = 0;
  shapes = 0;
  for (let column = COLUMNS; column < columnsEnd(); column += COLUMN_BYTES) {
    store<u32>(column, load<u32>(column, VALUE_LENGTH), LEARNED_LENGTH);
    store<u32>(column, 0, CHANGES);
  }
}

/** Comes behind the last column: the shape has been learned. */
export function noteShape(): void {
  rows += 1;
  shapes += 1;
  run = 0;
}

@inline
export function columnsEnd(): usize {
  return COLUMNS + columns * COLUMN_BYTES;
}

/** Whether the value of this column may be of any length in the next row. `differsAt` is where this row was not as foreseen. */
export function isVariable(column: usize, differsAt: u32): bool {
  const at = load<u32>(column, VALUE);
  const length = load<u32>(column, VALUE_LENGTH);
  return noteChanges(column, length, at <= differsAt && differsAt <= at + length) || length > LONGEST;
}

/** Returns whether the column is variable. */
function noteChanges(column: usize, length: u32, differs: bool): bool {
  let changes = load<u32>(column, CHANGES);
  if (changes == VARIABLE) return true;
  if (load<u32>(column, LEARNED_LENGTH) == length && !differs) return false;
  changes += 1;
  if (run < FEW_ROWS || (changes > 1 && (changes * ROWS_A_CHANGE > rows || shapes * ROWS_A_SHAPE > rows))) changes = VARIABLE;
  store<u32>(column, length, LEARNED_LENGTH);
  store<u32>(column, changes, CHANGES);
  return changes == VARIABLE;
}
