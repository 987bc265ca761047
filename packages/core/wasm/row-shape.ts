/**
 * The shape of rows: objects of an array that differ in their strings, numbers and words only, as those of most lists do.
 * Fixed columns, and what stands between them, are described by tiles. Between the tiles come the variable ones.
 */
import { columnsEnd, forgetColumns, isVariable, isWorthLearning, noteShape } from './columns';
import { COLUMNS } from './memory';
import { COLUMN_BYTES, columns, containers, findValues, VALUE, VALUE_LENGTH } from './row-values';
import { isDigit } from './text';
import { beginStretch, beginTiles, endStretch, fix, HAS_VALUE, put } from './tile';

/** So many values are in a row, itself included. */
export let valuesOfRow: u32 = 0;

/**
 * Learns the shape of the object at `from`, which was not as foreseen at `differsAt`; `end` is behind its comma. The text has
 * been read and is right. Returns false when no shape can be learned. That of the rows before may still hold otherwise.
 */
export function learnShape(from: u32, end: u32, differsAt: u32): bool {
  if (!findValues(from, end)) return false;
  if (!isWorthLearning()) return true;
  if (!describeRow(from, end, differsAt)) {
    // Half of a shape is none that may still hold.
    forgetColumns();
    return false;
  }
  noteShape();
  valuesOfRow = columns + containers;
  return true;
}

/** Returns false when there is no room. */
function describeRow(from: u32, end: u32, differsAt: u32): bool {
  beginTiles(from);
  for (let column = COLUMNS; column < columnsEnd(); column += COLUMN_BYTES) {
    const at = load<u32>(column, VALUE);
    const behind = at + load<u32>(column, VALUE_LENGTH);
    if (!describeValue(at, behind, isVariable(column, differsAt))) return false;
  }
  if (!fix(end)) return false;
  endStretch(end, 0);
  return true;
}

/** The value from `at` to `behind` belongs to the tiles or comes between them. Returns false when there is no room. */
function describeValue(at: u32, behind: u32, isVariable: bool): bool {
  if (!fix(isVariable ? at : behind)) return false;
  if (isVariable) {
    endStretch(at, HAS_VALUE);
    beginStretch(behind);
  } else if (load<u8>(at) == 0x22) putText(at + 1, behind - 1);
  else putDigits(at, behind);
  return true;
}

/**
 * RFC 8259, section 7: quotes, backslashes and control characters leave three ranges. Each byte stays in its own; one that
 * is in none, of an escape, is taken to be in the one below and so not found again.
 */
function putText(from: u32, to: u32): void {
  for (let at = from; at < to; at += 1) {
    const byte = load<u8>(at);
    if (byte > 0x5c) put(at, 0x5d, 0xff);
    else if (byte > 0x22) put(at, 0x23, 0x5b);
    else put(at, 0x20, 0x21);
  }
}

/** RFC 8259, section 6: no digits come behind a leading zero. All that is no digit, as in words, stays as it is. */
function putDigits(from: u32, to: u32): void {
  let isFirst = true;
  for (let at = from; at < to; at += 1) {
    if (!isDigit(load<u8>(at))) continue;
    put(at, isFirst && isDigit(load<u8>(at + 1)) ? 0x31 : 0x30, 0x39);
    isFirst = false;
  }
}
