/**
 * The shape of rows: objects of an array that differ in their strings, numbers and words only, as those of most lists do.
 * It is a sequence of steps, each of which is some fixed text and, mostly, a value behind it.
 */
import { SHAPE, SHAPE_BYTES } from './memory';
import { textEnd } from './text';

/** A longer fixed text is several steps. */
const MOST_FIXED: u32 = 16;

/** What stands in a step. The first is the fixed text, with whatever came behind it. */
export const FIXED: usize = 0;
/** A bit for each byte of the fixed text that does not belong to it. */
export const NOT_FIXED: usize = 16;
/** The length of the fixed text, and HAS_VALUE when a value comes behind it. */
export const LENGTH: usize = 20;
export const HAS_VALUE: u32 = 256;
/** How long the value of the row before was. */
export const LAST_LENGTH: usize = 24;
/** If that was a string: the bit of its closing quote, and those up to it, counted from behind the opening one. */
export const LAST_BIT: usize = 28;
export const UP_TO_LAST: usize = 32;
export const STEP_BYTES: usize = 48;

/** Behind the last step. */
export let shapeEnd: usize = SHAPE;
/** So many values are in a row, itself included. */
export let valuesOfRow: u32 = 0;

/**
 * Learns the shape of the object at `from`; `end` is behind its comma. The text has been read and is right. Returns false
 * when it is more than one object, or has too many steps.
 */
export function learnShape(from: u32, end: u32): bool {
  const comma = end - 1;
  let at = from;
  let fixed = from;
  let level: u32 = 0;
  shapeEnd = SHAPE;
  valuesOfRow = 0;
  do {
    const byte = load<u8>(at);
    // `{` and `[`, `}` and `]`
    const opens = (byte | 0x20) == 0x7b;
    const closes = (byte | 0x20) == 0x7d;
    level += <u32>opens - <u32>closes;
    valuesOfRow += <u32>opens;
    if (opens || closes || byte == 0x2c) {
      at += 1;
      continue;
    }
    const behind = valueEnd(at, byte);
    if (load<u8>(behind) == 0x3a) {
      at = behind + 1;
      continue;
    }
    if (!addSteps(fixed, at, HAS_VALUE)) return false;
    valuesOfRow += 1;
    fixed = behind;
    at = behind;
  } while (level != 0 && at < comma);
  return level == 0 && at == comma && addSteps(fixed, end, 0);
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

/** The text from `from` to `to` is fixed, and a value comes behind it or not. Returns false when there is no room. */
function addSteps(from: u32, to: u32, hasValue: u32): bool {
  let at = from;
  while (to - at > MOST_FIXED) {
    if (!addStep(at, MOST_FIXED, 0)) return false;
    at += MOST_FIXED;
  }
  return addStep(at, to - at, hasValue);
}

function addStep(at: u32, length: u32, hasValue: u32): bool {
  const step = shapeEnd;
  if (step + STEP_BYTES > SHAPE + SHAPE_BYTES) return false;
  v128.store(step, v128.load(at), FIXED);
  store<u32>(step, (0xffff << length) & 0xffff, NOT_FIXED);
  store<u32>(step, length | hasValue, LENGTH);
  noteLength(step, 0);
  shapeEnd = step + STEP_BYTES;
  return true;
}

/** Notes how long a value was. No string is taken to be as long: of its bits none are looked at, and one should be there. */
@inline
export function noteLength(step: usize, length: u32): void {
  store<u32>(step, length, LAST_LENGTH);
  store<u32>(step, 1, LAST_BIT);
  store<u32>(step, 0, UP_TO_LAST);
}

/**
 * Notes how long a string was, with its quotes: 17 bytes at most. The bit is that of the closing quote, not of the first byte
 * that was found: that is a backslash in a string with escapes, and what stands behind it would not be looked at.
 */
@inline
export function noteString(step: usize, length: u32): void {
  const bit: u32 = 1 << (length - 2);
  store<u32>(step, length, LAST_LENGTH);
  store<u32>(step, bit, LAST_BIT);
  store<u32>(step, bit ^ (bit - 1), UP_TO_LAST);
}
