/** Where things stand in memory. What the compiler lays out itself (`memory.data`) stands between KINDS and INPUT. */

/** So many bytes become masks at once. */
export const BLOCK: u32 = 64;
/** So many bytes are looked at from the begin of a block on: a word may begin at its end, and a byte stands behind that. */
export const BEHIND: u32 = BLOCK + 8;

/** Says of each open bracket whether it is a brace. */
export const KINDS: u32 = 0;
/** Where a piece of the text is copied to, behind a block of what comes before it. */
export const INPUT: u32 = 2048;
/** Longest piece that `compact.ts` takes. */
export const COMPACT_PIECE: u32 = 32 * 1024;
/**
 * Where `scalars.ts` notes what begins in a piece, four bytes for each. What is noted stands behind a bracket, a comma or a
 * colon, and is none itself: that are two bytes of text for each, whatever the text, so NOTES end before TILES.
 */
export const NOTES: u32 = INPUT + COMPACT_PIECE + 1024;
/**
 * From here on texts may stand that are not copied: what was read last in ROOM, a line that comes in parts in LINE_ROOM.
 * Nothing is written here; a page of zero bytes stands behind it, which ends whatever reads on.
 */
export const ROOM: u32 = 2 * 64 * 1024;
export const ROOM_BYTES: u32 = 4 * 64 * 1024;
export const LINE_ROOM: u32 = ROOM + ROOM_BYTES;
export const LINE_ROOM_BYTES: u32 = 48 * 64 * 1024;
/** 64 tiles of `tile.ts` and 64 columns of `row-values.ts`, between NOTES and ROOM. */
export const COLUMNS_BYTES: u32 = 64 * 16;
export const COLUMNS: usize = ROOM - COLUMNS_BYTES;
export const TILES_BYTES: u32 = 64 * 48;
export const TILES: usize = COLUMNS - TILES_BYTES;
