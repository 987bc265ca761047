/** Where things stand in memory. What the compiler lays out itself (`memory.data`) stands between KINDS and INPUT. */

/** So many bytes become masks at once. */
export const BLOCK: u32 = 64;
/** So many bytes are looked at from the begin of a block on: a word may begin at its end, and a byte stands behind that. */
export const BEHIND: u32 = BLOCK + 8;

/** Says of each open bracket whether it is a brace. */
export const KINDS: u32 = 0;
/** Where a piece of the text is copied to, behind a block of what comes before it. */
export const INPUT: u32 = 2048;
/** Longest piece that `grammar.ts` takes. */
export const COMPACT_PIECE: u32 = 32 * 1024;
/**
 * Where `scalars.ts` notes the values that begin in a piece, four bytes for each. Each stands behind a bracket, a comma or
 * a colon, and is none itself: that are two bytes of text for each, whatever the text, so NOTES end before READ_BUFFER.
 */
export const NOTES: u32 = INPUT + COMPACT_PIECE + 1024;
/**
 * From here on texts stand that are not copied: the bytes read last in READ_BUFFER, lines that come in parts in LINE_SLOTS.
 * Nothing is written here; a page of zero bytes stands behind it, which ends whatever reads on.
 */
export const READ_BUFFER: u32 = 2 * 64 * 1024;
export const READ_BUFFER_BYTES: u32 = 4 * 64 * 1024;
export const LINE_SLOTS: u32 = READ_BUFFER + READ_BUFFER_BYTES;
export const LINE_SLOTS_BYTES: u32 = 48 * 64 * 1024;
