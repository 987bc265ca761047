/** The values of a row that are strings, numbers or words: where they stand, one behind the other. */
import { COLUMNS, COLUMNS_BYTES } from './memory';
import { textEnd } from './text';

/** What stands in a column: where its value begins in the row read last, and how long it is. The rest is columns.ts's. */
export const VALUE: usize = 0;
export const VALUE_LENGTH: usize = 4;
export const COLUMN_BYTES: usize = 16;

/** So many values were found, */
export let columns: u32 = 0;
/** so many objects and arrays, the row included, */
export let containers: u32 = 0;
/** and so many bytes that belong to no value. */
export let fixedBytes: u32 = 0;

/**
 * Finds the values of the object at `from`; `end` is behind its comma. The text has been read and is right. Returns false
 * when it is more than one object, or has too many values.
 */
export function findValues(from: u32, end: u32): bool {
  const comma = end - 1;
  let at = from;
  let level: u32 = 0;
  let column: usize = COLUMNS;
  columns = 0;
  containers = 0;
  fixedBytes = end - from;
  do {
    const byte = load<u8>(at);
    // `{` and `[`, `}` and `]`
    const opens = (byte | 0x20) == 0x7b;
    const closes = (byte | 0x20) == 0x7d;
    level += <u32>opens - <u32>closes;
    containers += <u32>opens;
    if (opens || closes || byte == 0x2c) {
      at += 1;
      continue;
    }
    const behind = valueEnd(at, byte);
    if (load<u8>(behind) == 0x3a) {
      at = behind + 1;
      continue;
    }
    if (column == COLUMNS + COLUMNS_BYTES) return false;
    store<u32>(column, at, VALUE);
    store<u32>(column, behind - at, VALUE_LENGTH);
    column += COLUMN_BYTES;
    columns += 1;
    fixedBytes -= behind - at;
    at = behind;
  } while (level != 0 && at < comma);
  return level == 0 && at == comma;
}

/** Behind the string, the number or the word at `at`. */
function valueEnd(at: u32, first: u32): u32 {
  if (first == 0x22) return textEnd(at + 1) + 1;
  let behind = at;
  let byte = first;
  // up to `,` and `}` and `]`
  while (byte != 0x2c && (byte | 0x20) != 0x7d && byte != 0) {
    behind += 1;
    byte = load<u8>(behind);
  }
  return behind;
}
