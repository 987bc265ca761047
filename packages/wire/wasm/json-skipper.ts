/**
 * Finds the end of one JSON value (RFC 8259) and builds nothing.
 *
 * This is the way that takes all of JSON; grammar.ts is the fast one.
 *
 * AssemblyScript, not TypeScript: README.md says why and how it is built. The caller is src/json/json-skipper.ts. It copies
 * the text to INPUT in pieces, each with zero bytes behind it. JSON accepts a zero byte nowhere, so no step below has
 * to ask where the piece ends: whatever stops close to that end is tried again with more text, all else is refused.
 * A text in READ_BUFFER or LINE_SLOTS is read where it stands, in one piece: an end behind its end is none.
 */
import { BEHIND, KINDS } from './memory';
import { isDigit, textEnd } from './text';
import { FALS, NULL, TRUE } from './words';

export { beginCompact, compactValues, isCompactDone, readCompact } from './grammar';
export { BLOCK, COMPACT_PIECE, INPUT, LINE_SLOTS, LINE_SLOTS_BYTES, READ_BUFFER, READ_BUFFER_BYTES } from './memory';

/** Longest token that has no parts of its own: `\u0000`. */
const LONGEST_TOKEN: u32 = 6;

/** What is read next. `Text` and `KeyText` stand inside a string, `Comma` behind a value. */
const enum State { Value, FirstElement, FirstKey, Key, KeyText, Colon, Text, Comma, Done, Refused }

export const DONE: u32 = State.Done;
export const REFUSED: u32 = State.Refused;

let state: State = State.Value;
let values: u32 = 0;
let depth: u32 = 0;
let maxDepth: u32 = 0;

/** {@link DONE}, {@link REFUSED}, or another state where more is to come. */
export function stateOfValue(): u32 {
  return state;
}

/** Values seen so far on all levels, the outermost included. */
export function valuesRead(): u32 {
  return values;
}

/** Comes before the first piece of a value, which may hold so many levels of brackets (below INPUT). */
export function begin(levels: u32): void {
  state = State.Value;
  values = 0;
  depth = 0;
  maxDepth = levels;
}

/** JSON takes a zero byte nowhere: behind a piece that ends at `end` nothing can be right, and no string goes on. */
export function seal(end: u32): void {
  memory.fill(end, 0, BEHIND);
}

/**
 * Reads a piece of `length` bytes at `from`. Returns how many of them were understood; the next piece begins behind those.
 *
 * One loop over one switch, whose cases run on into each other where the grammar does: the same with a function for
 * each state costs a quarter more.
 */
export function read(from: u32, length: u32): u32 {
  const end = from + length;
  let at = from;
  let next = state;
  let open = depth;
  let count: u32 = 0;
  let inObject = load<bool>(KINDS + open);
  for (;;) {
    switch (next) {
      case State.FirstKey:
        at = afterSpace(at);
        if (load<u8>(at) == 0x7d) {
          next = State.Comma;
          at += 1;
          open -= 1;
          inObject = load<bool>(KINDS + open);
          continue;
        }
        if (at >= end) break;
      case State.Key:
        next = State.Key;
        at = afterSpace(at);
        if (load<u8>(at) != 0x22) break;
        at += 1;
      case State.KeyText:
        next = State.KeyText;
        at = textEnd(at);
        if (load<u8>(at) != 0x22) break;
        at += 1;
      case State.Colon:
        next = State.Colon;
        at = afterSpace(at);
        if (load<u8>(at) != 0x3a) break;
        at += 1;
      case State.Value: {
        next = State.Value;
        at = afterSpace(at);
        const byte = load<u8>(at);
        if (byte == 0x22) {
          next = State.Text;
          at += 1;
          count += 1;
          continue;
        }
        if (byte == 0x7b || byte == 0x5b) {
          if (open == maxDepth) {
            state = State.Refused;
            return 0;
          }
          inObject = byte == 0x7b;
          next = inObject ? State.FirstKey : State.FirstElement;
          at += 1;
          count += 1;
          open += 1;
          store<bool>(KINDS + open, inObject);
          continue;
        }
        const behind = scalarEnd(at, byte);
        // A number that reaches the end of the piece may go on in the next one.
        if (behind == at || behind >= end) break;
        next = State.Comma;
        at = behind;
        count += 1;
        continue;
      }
      case State.Text:
        at = textEnd(at);
        if (load<u8>(at) != 0x22) break;
        at += 1;
      case State.Comma: {
        next = State.Comma;
        if (open == 0) {
          state = State.Done;
          values += count;
          return at - from;
        }
        at = afterSpace(at);
        const byte = load<u8>(at);
        if (byte == 0x2c) {
          next = inObject ? State.Key : State.Value;
          at += 1;
          continue;
        }
        if (byte != <u8>(inObject ? 0x7d : 0x5d)) break;
        at += 1;
        open -= 1;
        inObject = load<bool>(KINDS + open);
        continue;
      }
      case State.FirstElement:
        at = afterSpace(at);
        if (at >= end) break;
        if (load<u8>(at) != 0x5d) {
          next = State.Value;
          continue;
        }
        next = State.Comma;
        at += 1;
        open -= 1;
        inObject = load<bool>(KINDS + open);
        continue;
      default:
        break;
    }
    state = at + LONGEST_TOKEN < end && !isNumberAtEnd(next, at, end) ? State.Refused : next;
    depth = open;
    values += count;
    return at - from;
  }
}

/** Whether a value was cut only because its digits go on to the end of the piece. */
function isNumberAtEnd(next: State, at: u32, end: u32): bool {
  if (next != State.Value) return false;
  const behind = scalarEnd(at, load<u8>(at));
  return behind != at ? behind >= end : startsNumber(at, end);
}

/** Whether everything from here to the end could stand in a number: `-`, `1.`, `1e+`. */
function startsNumber(at: u32, end: u32): bool {
  while (at < end && isNumeric(load<u8>(at))) at += 1;
  return at == end;
}

function isNumeric(byte: u32): bool {
  return isDigit(byte) || byte == 0x2d || byte == 0x2b || byte == 0x2e || (byte | 0x20) == 0x65;
}

@inline
function afterSpace(at: u32): u32 {
  let byte = load<u8>(at);
  if (byte > 0x20) return at;
  while (byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09) {
    at += 1;
    byte = load<u8>(at);
  }
  return at;
}

/** Behind the number or the word that stands at `at`, or `at` when there is none. */
function scalarEnd(at: u32, first: u32): u32 {
  if (first == 0x2d || isDigit(first)) return numberEnd(at);
  const word = load<u32>(at);
  if (word == TRUE || word == NULL) return at + 4;
  return word == FALS && load<u8>(at + 4) == 0x65 ? at + 5 : at;
}

function numberEnd(start: u32): u32 {
  let at = load<u8>(start) == 0x2d ? start + 1 : start;
  let behind = load<u8>(at) == 0x30 ? at + 1 : digitsEnd(at);
  if (behind == at) return start;
  at = behind;
  if (load<u8>(at) == 0x2e) {
    behind = digitsEnd(at + 1);
    if (behind == at + 1) return start;
    at = behind;
  }
  if ((load<u8>(at) | 0x20) != 0x65) return at;
  const sign = load<u8>(at + 1);
  at += sign == 0x2b || sign == 0x2d ? 2 : 1;
  behind = digitsEnd(at);
  return behind == at ? start : behind;
}

@inline
function digitsEnd(at: u32): u32 {
  while (isDigit(load<u8>(at))) at += 1;
  return at;
}
