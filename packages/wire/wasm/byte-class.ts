/**
 * What a byte outside of strings may be, and which byte may follow it (RFC 8259, when there is no white space).
 *
 * The class of a byte is a set of eight bits, which say what may come next; for each byte there is also the set of bits
 * one of which the byte before it must have. So that is one `and` for each pair of bytes.
 */

/** A value may begin behind it: `{`, `[`, `,`, `:`. */
const BEFORE_VALUE: u8 = 0x80;
/** `}` or `]` may come: behind a value that is no number, and behind `{` and `[`. */
const BEFORE_CLOSE: u8 = 0x40;
/** Says nothing of what may follow. With the two above it tells classes apart, see `grammar.ts`. */
const TOLD_APART: u8 = 0x20;
/** `}`, `]`, `,`, `.` and `e` may come, and digits. */
const DIGIT: u8 = 0x10;
/** `,` may come: behind a bracket or a quote. */
const BEHIND_VALUE: u8 = 0x08;
/** A digit has to come, or a sign: `.`, `e`, `+`. */
const BEFORE_DIGIT: u8 = 0x04;
/** A sign may come. */
const EXPONENT: u8 = 0x02;
const MINUS: u8 = 0x01;

// Both tables are read at the hash of a byte. All other bytes have no class, and may follow nothing.
const CLASSES: usize = memory.data<u8>([
  BEFORE_VALUE | BEFORE_CLOSE, // { [
  BEFORE_CLOSE | TOLD_APART | BEHIND_VALUE, // } ]
  DIGIT, // 5
  DIGIT, // 1 3 4 6 7 8 9
  BEFORE_VALUE, // :
  DIGIT, // 0
  BEFORE_CLOSE | BEHIND_VALUE, // "
  0, // none
  0, // none
  0, // none
  BEFORE_VALUE | TOLD_APART, // ,
  TOLD_APART | BEFORE_DIGIT, // .
  DIGIT, // 2
  BEFORE_DIGIT, // +
  MINUS, // -
  TOLD_APART | BEFORE_DIGIT | EXPONENT, // e E
], 16);

/**
 * What the byte before must be. A `0` and a `-` that begin a number, and words, may follow nothing here: scalars.ts looks
 * at them. A quote and a colon may follow more than they should: grammar.ts knows better where they stand.
 */
const MAY_FOLLOW: usize = memory.data<u8>([
  BEFORE_VALUE, // { [
  BEFORE_CLOSE | DIGIT, // } ]
  BEFORE_VALUE | DIGIT | BEFORE_DIGIT | MINUS, // 5
  BEFORE_VALUE | DIGIT | BEFORE_DIGIT | MINUS, // 1 3 4 6 7 8 9
  BEHIND_VALUE, // :
  DIGIT | BEFORE_DIGIT | MINUS, // 0
  BEFORE_VALUE | BEHIND_VALUE, // "
  0, // none
  0, // none
  0, // none
  BEHIND_VALUE | DIGIT, // ,
  DIGIT, // .
  BEFORE_VALUE | DIGIT | BEFORE_DIGIT | MINUS, // 2
  EXPONENT, // +
  EXPONENT, // -
  DIGIT, // e E
], 16);

// The hash of a byte is the sum of what stands here for its lower and its upper half. For all bytes that are not named
// above the sum is more than 15, for which a swizzle gives 0. The numbers were found by trial.
const LOWER: usize = memory.data<u8>([255, 253, 6, 253, 253, 252, 253, 253, 253, 253, 254, 13, 10, 14, 11, 156], 16);
const UPPER: usize = memory.data<u8>([128, 128, 0, 6, 19, 243, 19, 243, 128, 128, 128, 128, 128, 128, 128, 128], 16);

/** Constants are loaded: the compiler of V8 would put a splat together of three steps, for each block anew. */
const HALF: usize = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16);

/** The class of a byte before which no byte is missing. */
@inline
export function nothingBefore(): v128 {
  return i8x16.splat(<i8>BEFORE_VALUE);
}

@inline
export function hashOf(bytes: v128): v128 {
  const half = v128.load(HALF);
  const lower = i8x16.swizzle(v128.load(LOWER), v128.and(bytes, half));
  const upper = i8x16.swizzle(v128.load(UPPER), v128.and(i16x8.shr_u(bytes, 4), half));
  return i8x16.add(lower, upper);
}

@inline
export function classOf(hash: v128): v128 {
  return i8x16.swizzle(v128.load(CLASSES), hash);
}

/** All ones for each byte that may not follow the one before it. `before` are the classes of the 16 bytes before. */
@inline
export function isMisplaced(before: v128, classes: v128, hash: v128): v128 {
  const previous = i8x16.shuffle(before, classes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  return i8x16.eq(v128.and(previous, i8x16.swizzle(v128.load(MAY_FOLLOW), hash)), i8x16.splat(0));
}
