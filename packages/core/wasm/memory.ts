/** Where things stand in memory. What the compiler lays out itself (`memory.data`) stands between KINDS and INPUT. */

/** Says of each open bracket whether it is a brace. */
export const KINDS: u32 = 0;
/** Where a piece of the text begins. `compact.ts` keeps the last 64 bytes of the piece before it before that. */
export const INPUT: u32 = 2048;
/** Longest piece that `compact.ts` takes. */
export const COMPACT_PIECE: u32 = 32 * 1024;
/** Where `scalars.ts` notes what begins in a piece: four bytes for each, and nothing is shorter than two bytes. */
export const NOTES: u32 = INPUT + COMPACT_PIECE + 1024;
