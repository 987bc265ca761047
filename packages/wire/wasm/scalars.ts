/**
 * The beginnings of words (`true`, `false`, `null`) and of the numbers that begin with `0` or `-`. They are not looked
 * at where they are found, which the processor could not foresee, but all together when the piece of the text is over.
 *
 * By the table of byte-class.ts such a beginning is misplaced, and so is every other letter of a word and the byte
 * behind it. So a text is right when as many bytes were misplaced as those beginnings account for.
 */
import { FALS, NULL, TRUE } from './words';

let end: u32 = 0;
let first: u32 = 0;
/** Misplaced bytes less those accounted for. It is below zero when a word goes on in the next piece. */
let misplaced: i32 = 0;

/** Beginnings are noted from here on in memory. */
export function forgetScalars(from: u32): void {
  first = from;
  end = from;
  misplaced = 0;
}

/** Notes the misplaced bytes of the block at `at`, and which of them begin a value: never two side by side. */
@inline
export function noteScalars(at: u32, wrong: u64, beginnings: u64): void {
  misplaced += <i32>popcnt(wrong);
  // Two are noted in any case and count only if there are any: how many there are the processor cannot foresee.
  const others = beginnings & (beginnings - 1);
  store<u32>(end, at + <u32>ctz(beginnings));
  store<u32>(end, at + <u32>ctz(others), 4);
  end += (<u32>(beginnings != 0) + <u32>(others != 0)) << 2;
  for (let left = others & (others - 1); left != 0; left &= left - 1) {
    store<u32>(end, at + <u32>ctz(left));
    end += 4;
  }
}

/** Whether all the beginnings that were noted are right, and nothing else was misplaced. They are forgotten. */
export function areScalarsRight(): bool {
  for (let entry = first; entry < end; entry += 4) misplaced -= accountedFor(load<u32>(entry));
  end = first;
  return misplaced <= 0;
}

/** Nothing was misplaced, and no word is cut. */
export function isBalanced(): bool {
  return misplaced == 0;
}

/** How many misplaced bytes are those of a word with the byte behind it, or the first of a number. */
@inline
function accountedFor(at: u32): u32 {
  const word = load<u32>(at);
  const isFalse = is(word, FALS) & is(load<u8>(at + 4), 0x65);
  const isWord = is(word, TRUE) | is(word, NULL) | isFalse;
  const next = load<u8>(at + 4 + isFalse);
  // `,` or `}` or `]`
  if (isWord & (is(next, 0x2c) | is(next | 0x20, 0x7d))) return 5 + isFalse;
  return isNumberStart(at);
}

/** RFC 8259, section 6: a `0` that begins a number is no digit before another one. What else may follow, pairs tell. */
function isNumberStart(at: u32): u32 {
  const byte = load<u8>(at);
  if (byte != 0x2d && byte != 0x30) return 0;
  const zero = byte == 0x2d ? at + 1 : at;
  return <u32>(load<u8>(zero) != 0x30 || <u32>load<u8>(zero + 1) - 0x30 >= 10);
}

@inline
function is(value: u32, other: u32): u32 {
  return <u32>(value == other);
}

/** Whether each of `points` is the exponent of a number that has one fraction before it, and no other exponent. */
export function areExponents(points: u64, at: u32, start: u32): bool {
  for (; points != 0; points &= points - 1) {
    let before = at + <u32>ctz(points);
    if ((load<u8>(before) | 0x20) != 0x65) return false;
    do before -= 1; while (before > start && <u32>load<u8>(before) - 0x30 < 10);
    if (load<u8>(before) != 0x2e) return false;
  }
  return true;
}
