/**
 * The grammar of JSON without white space: 64 bytes at once become masks of 64 bits, and the rules of RFC 8259 are
 * operations on these. Only brackets, words and some numbers are looked at one by one.
 *
 * Every text that is taken here is right. A text that is not taken may be right as well: one with white space, with much
 * nesting, or with a fraction of more than 64 digits before an exponent. json-skipper.ts then takes it from the beginning.
 *
 * A text is right when
 * - each byte outside of strings may follow the one before it: a table knows that (byte-class.ts),
 * - words are spelled right and numbers have no leading zero (scalars.ts), nor two fractions or exponents,
 * - strings hold no control characters and no broken escapes (escapes.ts),
 * - brackets match, each member of an object begins with a string and a colon, and no colon stands elsewhere.
 */
import { behind, behindRun, endOfRun, oddUpTo } from './block';
import { classify, entryBehind, FIRST, forgetClasses, MISPLACED, NO_ENTRY, PLAIN, SECOND, THIRD } from './classify';
import { brokenEscapes, controls, escapedIn, forgetEscapes, isEscapeOpen } from './escapes';
import { BEHIND, BLOCK, KINDS, NOTES } from './memory';
import { areExponents, areScalarsRight, forgetScalars, isBalanced, noteScalars } from './scalars';
import { longTextEnd } from './text';

/** Returned in place of a position: this text is not taken. */
const GAVE_UP: u32 = -1;

/** What reaches from one block into the next. */
const CARRIES: usize = memory.data(40, 8);
const AFTER_STARTER: usize = CARRIES;
const AFTER_OPEN_OR_COMMA: usize = CARRIES + 8;
const IN_KEY: usize = CARRIES + 16;
const AFTER_KEY: usize = CARRIES + 24;
const IN_NUMBER: usize = CARRIES + 32;

/** The value is over. */
let isDone: bool = false;
/** Values so far on all levels, the outermost included. */
let values: u32 = 0;
/** So many brackets are open. */
let depth: u32 = 0;
let deepest: i32 = 0;
/** All ones when the next byte is inside of a string. */
let inText: u64 = 0;

/** Comes before the first piece of a value, which begins with a bracket and may hold so many levels of them. */
export function beginCompact(levels: u32): void {
  isDone = false;
  values = 1;
  depth = 0;
  // A block can hold 64 opening brackets: further down it would have to be asked for each of them.
  deepest = <i32>levels - <i32>BLOCK;
  inText = 0;
  store<i8>(KINDS, 0);
  forgetScalars(NOTES);
  forgetClasses();
  forgetEscapes();
  memory.fill(CARRIES, 0, 40);
}

/** Whether the value is over. */
export function isCompactDone(): bool {
  return isDone;
}

/** Values so far on all levels, the outermost included. */
export function compactValues(): u32 {
  return values;
}

/**
 * Reads a piece of `length` bytes at `from`. Returns how many of them were understood, and the next piece begins behind
 * those; or -1 when the value is not taken. The 64 bytes before a piece that is not the first are those of the text.
 *
 * The bytes behind the last piece are looked at too: the caller refuses a value that ends there.
 */
export function readCompact(from: u32, length: u32, isLast: bool): i32 {
  const end = from + length;
  const stop = isLast ? end : end - BEHIND + 1;
  const at = from < stop ? readBlocks(from, stop) : from;
  return at == GAVE_UP ? -1 : at - from;
}

/** Reads the blocks from `from` on that begin before `stop`. Returns the position behind them or behind the value. */
function readBlocks(from: u32, stop: u32): u32 {
  let at = from;
  let entry = NO_ENTRY;
  let text = inText;
  let level = depth;
  if (<i32>level > deepest) return GAVE_UP;
  let context = <i64>load<i8>(KINDS + level);
  let count: u32 = 0;
  for (; at < stop; at += BLOCK) {
    if (entry == NO_ENTRY) entry = classify(at, stop);
    // Three bits tell `{[` 110, `}]` 011, `,` 101, `:` 100, `"` 010 and `.eE` 001 from each other and from all else.
    const first = load<u64>(entry, FIRST);
    const second = load<u64>(entry, SECOND);
    const third = load<u64>(entry, THIRD);
    const misplaced = load<u64>(entry, MISPLACED);
    const plain = load<u64>(entry, PLAIN) != 0;
    entry = entryBehind(entry);
    let quotes = second & ~(first | third);
    let errors: u64 = 0;
    let control: u64 = 0;
    if (!plain || isEscapeOpen()) {
      quotes &= ~escapedIn(at);
      errors = brokenEscapes;
      control = controls;
    }
    if ((text != 0) & (quotes == 0) & ((errors | control) == 0)) {
      // All of it is inside of a string. The next block is the next one or begins where the string ends.
      if (!isEscapeOpen()) {
        at = longTextEnd(at + BLOCK, stop) - BLOCK;
        entry = NO_ENTRY;
      }
      continue;
    }
    // Section 7: ones from each opening quote to before the closing one.
    const inside = oddUpTo(quotes) ^ text;
    text = <u64>(<i64>inside >> 63);
    errors |= control & inside;
    const outside = ~(inside | quotes);
    const starters = outside & first;
    const opensAndCommas = starters & (second | third);
    const colons = starters ^ opensAndCommas;
    const brackets = outside & second;
    const closes = brackets & third;
    const points = outside & third & ~(first | second);

    // Sections 4 and 5: brackets match. Of each position is kept whether it is in an object: where that changes at a
    // bracket, all up to it is turned over, and in the end all once more if the block ends in an object.
    let kept: u64 = -1;
    let objects: u64 = 0;
    for (let left = brackets; left != 0; ) {
      const byte = <i64>load<u8>(at + <u32>ctz(left));
      const less = left - 1;
      const upTo = left ^ less;
      left &= less;
      // -1 for `{` and `}`, which have this bit
      const kind = (byte << 58) >> 63;
      const outer = context;
      if ((byte & 4) == 0) {
        context = kind;
        level += 1;
        store<i8>(KINDS + level, <i8>kind);
      } else {
        errors |= outer ^ kind;
        level -= 1;
        context = <i64>load<i8>(KINDS + level);
      }
      objects ^= (outer ^ context) & upTo;
      if (level == 0) {
        kept = upTo;
        break;
      }
    }
    objects ^= context;

    const texts = quotes & inside;
    const afterStarter = behind(starters, AFTER_STARTER);
    const afterOpenOrComma = behind(opensAndCommas, AFTER_OPEN_OR_COMMA);
    const keys = afterOpenOrComma & objects & texts;
    // A string stands where a value or a key may begin: the table lets it follow brackets and quotes.
    errors |= texts & ~afterStarter;
    // Section 4: in an object a key comes after `{` and `,`, or its end, which the table lets follow no comma.
    errors |= afterOpenOrComma & objects & ~(texts | closes);
    // Section 4: a colon comes behind each key and nowhere else.
    errors |= behind(endOfRun(keys, inside, IN_KEY), AFTER_KEY) ^ colons;
    // What is inside of a string, and the quote that closes it, may follow anything.
    const wrong = kept & misplaced & ~(inside ^ quotes);
    noteScalars(at, wrong, wrong & afterStarter & ~starters);
    // Section 6: a number holds one `.` or `e`, or one `.` and then one `e`.
    const again = kept & points & behindRun(points, ~(starters | closes | points), IN_NUMBER);
    if (again != 0 && !areExponents(again, at, from - BLOCK)) return GAVE_UP;
    if ((errors & kept) != 0) return GAVE_UP;
    // A value begins after each `[` and `,`, and after each `{` with its key, unless a bracket closes at once.
    count += <u32>popcnt(opensAndCommas & kept) - <u32>popcnt(afterOpenOrComma & closes & kept);
    if (level == 0) {
      if (!areScalarsRight() || !isBalanced()) return GAVE_UP;
      isDone = true;
      values += count;
      return at + BLOCK - <u32>clz(kept);
    }
    if (<i32>level > deepest) return GAVE_UP;
  }
  if (!areScalarsRight()) return GAVE_UP;
  inText = text;
  depth = level;
  values += count;
  return at;
}
