/**
 * The shape of rows: objects of an array that differ in their strings, numbers and words only, as those of most lists do.
 * Fixed columns, and what stands between them, are described by tiles. Between the tiles come the variable ones.
 */
import { columnsEnd, decideColumns, forgetColumns, IS_VARIABLE } from './columns';
import { depth } from './grammar';
import { COLUMNS } from './memory';
import { COLUMN_BYTES, columns, containers, findValues, VALUE, VALUE_LENGTH } from './row-values';
import { isDigit } from './text';
import { beginStretch, beginTiles, endStretch, endTiles, fix, put } from './tile';

/** So many values are in a row, itself included. */
export let valuesOfRow: u32 = 0;
/** So many levels were open around the rows that the tiles are of. */
let depthOfRows: u32 = 0;

/**
 * Comes behind the object at `from`, which has been read and is right; `end` is behind its comma. `differsAt` is where it was
 * not as foreseen, if that was tried. Returns whether there are tiles for the next row: of the shape of this one or, when
 * this is the first one that is other, those that were there.
 */
export function learnShape(from: u32, end: u32, differsAt: u32): bool {
  if (!findValues(from, end)) return false;
  // Rows may hold so many levels only because there were fewer around them.
  if (depth > depthOfRows) forgetColumns();
  if (!decideColumns(differsAt)) return true;
  if (!describeRow(from, end)) {
    // Half of a shape is none that may still hold.
    forgetColumns();
    return false;
  }
  valuesOfRow = columns + containers;
  depthOfRows = depth;
  return true;
}

/** Returns false when there is no room. */
function describeRow(from: u32, end: u32): bool {
  beginTiles(from);
  for (let column = COLUMNS; column < columnsEnd(); column += COLUMN_BYTES) {
    const at = load<u32>(column, VALUE);
    const behind = at + load<u32>(column, VALUE_LENGTH);
    const isVariable = load<u32>(column, IS_VARIABLE) != 0;
    if (!fix(isVariable ? at : behind)) return false;
    if (isVariable) {
      endStretch(at, behind - at);
      beginStretch(behind);
    } else if (load<u8>(at) == 0x22) putText(at + 1, behind - 1);
    else putDigits(at, behind);
  }
  if (!fix(end)) return false;
  endTiles(end);
  return true;
}

/** RFC 8259, section 7: quotes, backslashes and control characters leave three ranges. Each byte stays in its own. */
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
