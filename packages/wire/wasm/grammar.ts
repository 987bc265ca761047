/**
 * The grammar of JSON without white space: 64 bytes at once become masks of 64 bits, and the rules of RFC 8259 are
 * operations on these. Only brackets, words and some numbers are looked at one by one.
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
import { BLOCK, KINDS, NOTES } from './memory';
import { areExponents, areScalarsRight, forgetScalars, isBalanced, noteScalars } from './scalars';
import { longTextEnd } from './text';

/** What is returned in place of a position: the text is not taken. */
export const GAVE_UP: u32 = -1;
/** A limit that no text reaches. */
export const NO_LIMIT: u32 = -1;

/** What reaches from one block into the next. */
const CARRIES: usize = memory.data(40, 8);
const AFTER_STARTER: usize = CARRIES;
const AFTER_OPEN_OR_COMMA: usize = CARRIES + 8;
const IN_KEY: usize = CARRIES + 16;
const AFTER_KEY: usize = CARRIES + 24;
const IN_NUMBER: usize = CARRIES + 32;

/** The value is over. */
export let isDone: bool = false;
/** Values so far on all levels, the outermost included. */
export let values: u32 = 0;
/** So many brackets are open. */
export let depth: u32 = 0;
let deepest: i32 = 0;
/** All ones when the next byte is inside of a string. */
let inText: u64 = 0;

/** Comes before a value, which begins with a bracket and may hold so many levels of them. */
export function beginValue(levels: u32): void {
  isDone = false;
  values = 1;
  depth = 0;
  // A block can hold 64 opening brackets: further down it would have to be asked for each of them.
  deepest = <i32>levels - <i32>BLOCK;
  inText = 0;
  store<i8>(KINDS, 0);
  forgetScalars(NOTES);
  forgetBlocks();
}

/** Counts values that were read by others. */
export function countValues(more: u32): void {
  values += more;
}

/** Comes before an element behind a comma, wherever the blocks read before it have ended. */
export function beginElement(): void {
  forgetBlocks();
  store<u64>(AFTER_STARTER, 1);
  store<u64>(AFTER_OPEN_OR_COMMA, 1);
}

function forgetBlocks(): void {
  forgetClasses();
  forgetEscapes();
  memory.fill(CARRIES, 0, 40);
}

/** Reads on to the end of the string whose inside is at `from`, if there is one, or to where it may not go on. */
export function readText(from: u32, stop: u32): u32 {
  return inText == 0 || isEscapeOpen() ? from : longTextEnd(from, stop);
}

/**
 * Reads the blocks from `from` on that begin before `stop`, but nothing from `limit` on, where an element begins. Returns
 * the position behind them, or behind the value if it is over, or {@link GAVE_UP}. 64 bytes before `from` are those of
 * the text, if it did not begin there.
 */
export function readBlocks(from: u32, stop: u32, limit: u32): u32 {
  let at = from;
  let entry = NO_ENTRY;
  let text = inText;
  let level = depth;
  if (<i32>level > deepest) return GAVE_UP;
  let context = <i64>load<i8>(KINDS + level);
  let count: u32 = 0;
  let inside: u64 = 0;
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
      inside = -1;
      if (!isEscapeOpen()) {
        at = longTextEnd(at + BLOCK, stop) - BLOCK;
        entry = NO_ENTRY;
      }
      continue;
    }
    // Section 7: ones from each opening quote to before the closing one.
    inside = oddUpTo(quotes) ^ text;
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
    let kept: u64 = limit - at < BLOCK ? (<u64>1 << (limit - at)) - 1 : -1;
    let objects: u64 = 0;
    for (let left = brackets & kept; left != 0; ) {
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
  // All that is before a limit has to be right, and no word goes on behind it.
  if (!areScalarsRight()) return GAVE_UP;
  if (limit != NO_LIMIT) {
    // The limit was taken for the begin of an element, and is none when a string goes on there.
    if (((inside << (at - limit)) >> 63) != 0) return GAVE_UP;
    text = 0;
  }
  inText = text;
  depth = level;
  values += count;
  return at < limit ? at : limit;
}
