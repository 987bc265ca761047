/** Masks of a block of 64 bytes, which is held as four vectors: bit `i` of a mask stands for byte `i`. */

/** Where the top bit of a byte is set. */
@inline
export function topBits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = <u32>i8x16.bitmask(a) | (<u32>i8x16.bitmask(b) << 16);
  const high = <u32>i8x16.bitmask(c) | (<u32>i8x16.bitmask(d) << 16);
  return <u64>low | (<u64>high << 32);
}

/** Where the bit is set that stands so many below the top bit. */
@inline
export function bitsBelowTop(below: i32, a: v128, b: v128, c: v128, d: v128): u64 {
  // Two bytes are moved at once: what goes from one into the other does not reach its top bit.
  return topBits(i16x8.shl(a, below), i16x8.shl(b, below), i16x8.shl(c, below), i16x8.shl(d, below));
}

/** Where a byte is `byte`. */
@inline
export function equal(byte: u8, a: v128, b: v128, c: v128, d: v128): u64 {
  const all = i8x16.splat(byte);
  return topBits(i8x16.eq(a, all), i8x16.eq(b, all), i8x16.eq(c, all), i8x16.eq(d, all));
}

/** Where a byte is one of `count` bytes from `first` on. */
@inline
export function among(first: u8, count: u8, a: v128, b: v128, c: v128, d: v128): u64 {
  const zero = i8x16.splat(first);
  const limit = i8x16.splat(count);
  return topBits(
    i8x16.lt_u(i8x16.sub(a, zero), limit),
    i8x16.lt_u(i8x16.sub(b, zero), limit),
    i8x16.lt_u(i8x16.sub(c, zero), limit),
    i8x16.lt_u(i8x16.sub(d, zero), limit),
  );
}

export const BACKSLASHES: usize = memory.data<u8>([92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92], 16);
const LAST_CONTROLS: usize = memory.data<u8>([31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31], 16);

/** Whether no byte is a backslash or a control character. */
@inline
export function isPlain(a: v128, b: v128, c: v128, d: v128): bool {
  const backslash = v128.load(BACKSLASHES);
  const ab = v128.or(i8x16.eq(a, backslash), i8x16.eq(b, backslash));
  const cd = v128.or(i8x16.eq(c, backslash), i8x16.eq(d, backslash));
  const least = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
  return !v128.any_true(v128.or(v128.or(ab, cd), i8x16.le_u(least, v128.load(LAST_CONTROLS))));
}

/** Where the number of bits up to here is odd: ones from each opening quote on to before its closing one. */
@inline
export function oddUpTo(bits: u64): u64 {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  return bits ^ (bits << 32);
}

/** The position behind each of `positions`. What leaves the block waits at `carry` for the next one. */
@inline
export function behind(positions: u64, carry: usize): u64 {
  const moved = (positions << 1) | load<u64>(carry);
  store<u64>(carry, positions >> 63);
  return moved;
}

/**
 * Where the run of ones in `run` ends that each of `positions` stands at the beginning of; a position outside of `run`
 * stays. What leaves the block waits at `carry` for the next one.
 *
 * An addition does that: what it carries clears the ones of a run and stops at the first zero.
 */
@inline
export function endOfRun(positions: u64, run: u64, carry: usize): u64 {
  const sum = (positions | load<u64>(carry)) + run;
  store<u64>(carry, <u64>(sum < run));
  return sum & ~run;
}

/** The first position behind each of `positions` that is not in `run`. */
@inline
export function behindRun(positions: u64, run: u64, carry: usize): u64 {
  const sum = ((positions << 1) | load<u64>(carry)) + run;
  store<u64>(carry, (positions >> 63) | <u64>(sum < run));
  return sum & ~run;
}
