/** None was found. */
export const NO_ROW: u32 = 0;

/** Before the first object that stands behind another one, `},{"`, between `from` and `end`. */
export function nextRow(from: u32, end: u32): u32 {
  for (let at = from; at < end; at += 16) {
    const braces = i8x16.eq(v128.load(at), i8x16.splat(0x7d));
    const commas = i8x16.eq(v128.load(at, 1), i8x16.splat(0x2c));
    const opens = i8x16.eq(v128.load(at, 2), i8x16.splat(0x7b));
    const quotes = i8x16.eq(v128.load(at, 3), i8x16.splat(0x22));
    const found = i8x16.bitmask(v128.and(v128.and(braces, commas), v128.and(opens, quotes)));
    if (found == 0) continue;
    const row = at + ctz(found) + 2;
    return row < end ? row : NO_ROW;
  }
  return NO_ROW;
}
