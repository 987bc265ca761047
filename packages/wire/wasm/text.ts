/** The inside of strings, 16 bytes at once between escapes. A control character ends it, also a zero byte behind the text. */
import { BACKSLASHES, isPlain } from './block';

/** With this bit turned over, a quote comes next to the control characters: all of them are at most 32 then. */
const QUOTE_TO_CONTROLS: usize = memory.data<u8>([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2], 16);
/** The difference of this and a byte, which ends at 0, has the top bit for what is at most 32. */
const UP_TO_CONTROLS: usize = memory.data<u8>([160, 160, 160, 160, 160, 160, 160, 160, 160, 160, 160, 160, 160, 160, 160, 160], 16);

/** The same as {@link textEnd} for strings that are long: 64 bytes at once up to the first escape. */
export function longTextEnd(at: u32, end: u32): u32 {
  while (at < end && isPlainText(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48))) at += 64;
  return textEnd(at);
}

/** Whether 64 bytes are the inside of a string without escapes. */
@inline
function isPlainText(a: v128, b: v128, c: v128, d: v128): bool {
  const quote = i8x16.splat(0x22);
  const ab = v128.or(i8x16.eq(a, quote), i8x16.eq(b, quote));
  const cd = v128.or(i8x16.eq(c, quote), i8x16.eq(d, quote));
  return isPlain(a, b, c, d) && !v128.any_true(v128.or(ab, cd));
}

/** From inside a string to its closing quote, or to the byte that may not stand there. */
@inline
export function textEnd(at: u32): u32 {
  let behind = at;
  do {
    at = plainEnd(behind);
    behind = load<u8>(at) == 0x5c ? escapeEnd(at) : at;
  } while (behind != at);
  return at;
}

/** The next quote, backslash or control character. */
@inline
function plainEnd(at: u32): u32 {
  let found = notPlain(at);
  while (found == 0) {
    at += 16;
    found = notPlain(at);
  }
  return at + ctz(found);
}

/** A bit for each of 16 bytes that is a quote, a backslash or a control character. */
@inline
function notPlain(at: u32): i32 {
  const bytes = v128.load(at);
  const low = i8x16.sub_sat_u(v128.load(UP_TO_CONTROLS), v128.xor(bytes, v128.load(QUOTE_TO_CONTROLS)));
  return i8x16.bitmask(v128.or(low, i8x16.eq(bytes, v128.load(BACKSLASHES))));
}

/** Behind the escape whose backslash stands at `at`, or `at` when it is none. */
@inline
function escapeEnd(at: u32): u32 {
  const byte = load<u8>(at + 1);
  if (isSimpleEscape(byte)) return at + 2;
  return byte == 0x75 ? longEscapeEnd(at) : at;
}

/** Behind the `\u0000` that stands at `at`, or `at` when four hexadecimal digits do not come. */
function longEscapeEnd(at: u32): u32 {
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    if (!isHexDigit(load<u8>(digit))) return at;
  }
  return at + 6;
}

/** `"\/bfnrt` */
@inline
function isSimpleEscape(byte: u32): bool {
  if (byte == 0x22 || byte == 0x5c || byte == 0x2f || byte == 0x62) return true;
  return byte == 0x66 || byte == 0x6e || byte == 0x72 || byte == 0x74;
}

@inline
export function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
}

function isHexDigit(byte: u32): bool {
  return isDigit(byte) || (byte | 0x20) - 0x61 < 6;
}
