/**
 * Rows that have the shape learned last (row-shape.ts) are right when each byte is one that their tiles allow and the values
 * between the tiles are right: brackets, keys, colons and commas are not looked at any more.
 */
import { TILES } from './memory';
import { escapeEnd, notPlain, plainEnd } from './text';
import { HAS_CHANGED, HAS_VALUE, LAST_LENGTH, LENGTH, LOWEST, SPAN, TILE_BYTES, tilesEnd } from './tile';
import { FALS, NULL, TRUE } from './words';

/** There is no value, or no row. */
const NONE: u32 = 0;

/** So many escapes a string may have, and one more for so many bytes. */
const SOME_ESCAPES: u32 = 4;
const BYTES_AN_ESCAPE: u32 = 32;

/** So many rows did {@link rowsEnd} find. */
export let rows: u32 = 0;
/** Whether one more has the shape, but ends behind the end. */
export let isCut: bool = false;
/** Where the first byte was that its tile does not allow, if that was why there are no more. */
export let differsAt: u32 = 0;

/** Behind the last of so many rows at most, from `from` on, that end with their comma not behind `end`. */
export function rowsEnd(from: u32, end: u32, most: u32): u32 {
  let row = from;
  let behind = from;
  let tried: u32 = 0;
  differsAt = 0;
  do {
    row = behind;
    behind = rowEnd(row);
    tried += 1;
  } while (behind != NONE && behind <= end && tried <= most);
  rows = tried - 1;
  isCut = behind > end;
  return row;
}

/** Behind the row with its comma, or {@link NONE} if it has another shape. */
@inline
function rowEnd(row: u32): u32 {
  const stop = tilesEnd;
  let at = row;
  for (let tile: usize = TILES; tile < stop; tile += TILE_BYTES) {
    const bytes = i8x16.sub(v128.load(at), v128.load(tile, LOWEST));
    const others = i8x16.bitmask(i8x16.gt_s(bytes, v128.load(tile, SPAN)));
    if (others != 0) {
      differsAt = at + ctz(others);
      return NONE;
    }
    const length = load<u32>(tile, LENGTH);
    at += length & 0xff;
    if (length < HAS_VALUE) continue;
    // What is as long as the last time goes on from there and not from where it has been found to end.
    const last = load<u32>(tile, LAST_LENGTH);
    const byte = load<u8>(at);
    let behind = NONE;
    if (byte == 0x22) {
      const found = notPlain(at + 1);
      if (isClosedBehind(at, last, found)) {
        at += last;
        continue;
      }
      behind = stringEnd(at, found);
    } else {
      // neither `"` nor above `9`
      behind = byte < 0x3a ? numberEnd(at, byte) : wordEnd(at);
    }
    if (behind - at == last) {
      at += last;
      continue;
    }
    if (behind == NONE) return NONE;
    store<u32>(tile, behind - at, LAST_LENGTH);
    store<u32>(tile, 1, HAS_CHANGED);
    at = behind;
  }
  return at;
}

/** Whether the string at `at`, of whose first 16 bytes these were `found` not to be plain, is so long and has no escapes. */
@inline
function isClosedBehind(at: u32, length: u32, found: i32): bool {
  // the first of them, or the 17th byte, which is looked at whatever it is
  return ctz(found | 0x10000) + 2 == length && load<u8>(at + length - 1) == 0x22;
}

/**
 * Behind the string at `at`, of whose first 16 bytes these were `found` not to be plain.
 *
 * One with many escapes is left to grammar.ts, which takes all those of a block at once.
 */
@inline
function stringEnd(at: u32, found: i32): u32 {
  let quote = found == 0 ? plainEnd(at + 17) : at + 1 + ctz(found);
  for (let escapes: u32 = 0; load<u8>(quote) == 0x5c; escapes += 1) {
    const behind = escapeEnd(quote);
    if (behind == quote || escapes > SOME_ESCAPES + (quote - at) / BYTES_AN_ESCAPE) return NONE;
    quote = plainEnd(behind);
  }
  return load<u8>(quote) == 0x22 ? quote + 1 : NONE;
}

/** RFC 8259, section 6. */
@inline
function numberEnd(at: u32, first: u32): u32 {
  const digits = at + <u32>(first == 0x2d);
  // Most numbers end within 32 bytes.
  let others: u32 = <u32>notDigits(digits) | (<u32>notDigits(digits + 16) << 16);
  let behind = others == 0 ? digitsEnd(digits + 32) : digits + ctz(others);
  if (behind == digits) return NONE;
  if (load<u8>(digits) == 0x30) {
    if (behind != digits + 1) return NONE;
  }
  if (load<u8>(behind) == 0x2e) {
    const fraction = behind + 1;
    // without the one that was the point
    others &= others - 1;
    behind = others == 0 ? digitsEnd(fraction) : digits + ctz(others);
    if (behind == fraction) return NONE;
  }
  return (load<u8>(behind) | 0x20) == 0x65 ? exponentEnd(behind) : behind;
}

/** Behind the exponent whose `e` is at `at`. */
function exponentEnd(at: u32): u32 {
  const sign = load<u8>(at, 1);
  const digits = at + 1 + <u32>(sign == 0x2b || sign == 0x2d);
  const behind = digitsEnd(digits);
  return behind == digits ? NONE : behind;
}

function digitsEnd(at: u32): u32 {
  let behind = at;
  let others = notDigits(behind);
  while (others == 0) {
    behind += 16;
    others = notDigits(behind);
  }
  return behind + ctz(others);
}

const ZEROS: usize = memory.data<u8>([48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48], 16);
/** From 10 on the sum with this, which ends at 255, has the top bit. */
const ABOVE_NINE: usize = memory.data<u8>([118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 118, 118], 16);

/** A bit for each of 16 bytes that is no digit. */
@inline
function notDigits(at: u32): i32 {
  return i8x16.bitmask(i8x16.add_sat_u(v128.xor(v128.load(at), v128.load(ZEROS)), v128.load(ABOVE_NINE)));
}

@inline
function wordEnd(at: u32): u32 {
  const word = load<u32>(at);
  if (word == TRUE || word == NULL) return at + 4;
  return word == FALS && load<u8>(at, 4) == 0x65 ? at + 5 : NONE;
}
