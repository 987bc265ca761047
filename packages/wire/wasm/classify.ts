import { bitsBelowTop, isPlain, topBits } from './block';
import { classOf, hashOf, isMisplaced, nothingBefore } from './byte-class';

/**
 * So many blocks are classified at once. That needs nothing of the block before, so the processor is at several of them
 * at a time; with the rules of grammar.ts in between it could not be.
 */
const BLOCKS: u32 = 8;
/** Of each block five masks are kept, in an entry. */
const ENTRY_BYTES: u32 = 40;
const ENTRIES: usize = memory.data(320, 16);

/** Behind the last entry: there is none left. */
export const NO_ENTRY: usize = ENTRIES + BLOCKS * ENTRY_BYTES;

/** Where the masks stand in an entry. The first three are the upper bits of the classes of byte-class.ts. */
export const FIRST: usize = 0;
export const SECOND: usize = 8;
export const THIRD: usize = 16;
/** Bytes that may not follow the one before them. */
export const MISPLACED: usize = 24;
/** Not zero: there is neither a backslash nor a control character. */
export const PLAIN: usize = 32;

/** The classes of the last 16 bytes. */
let before: v128 = i8x16.splat(0);

export function forgetClasses(): void {
  before = nothingBefore();
}

/** Fills entries for the blocks from `at` on that begin before `stop`, and returns the first. */
export function classify(at: u32, stop: u32): usize {
  let classes = before;
  let entry = ENTRIES;
  for (; at < stop && entry < NO_ENTRY; at += 64, entry += ENTRY_BYTES) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const hashA = hashOf(a);
    const hashB = hashOf(b);
    const hashC = hashOf(c);
    const hashD = hashOf(d);
    const classesA = classOf(hashA);
    const classesB = classOf(hashB);
    const classesC = classOf(hashC);
    const classesD = classOf(hashD);
    store<u64>(entry, topBits(classesA, classesB, classesC, classesD), FIRST);
    store<u64>(entry, bitsBelowTop(1, classesA, classesB, classesC, classesD), SECOND);
    store<u64>(entry, bitsBelowTop(2, classesA, classesB, classesC, classesD), THIRD);
    const misplaced = topBits(
      isMisplaced(classes, classesA, hashA),
      isMisplaced(classesA, classesB, hashB),
      isMisplaced(classesB, classesC, hashC),
      isMisplaced(classesC, classesD, hashD),
    );
    store<u64>(entry, misplaced, MISPLACED);
    store<u64>(entry, <u64>isPlain(a, b, c, d), PLAIN);
    classes = classesD;
  }
  before = classes;
  return ENTRIES;
}

@inline
export function entryBehind(entry: usize): usize {
  return entry + ENTRY_BYTES;
}
