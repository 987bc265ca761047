/** A tile says of each of up to 16 bytes what it may be. One behind the other, tiles describe a text that is as long every time. */
import { TILES, TILES_BYTES } from './memory';

/** What stands in a tile. For each byte the lowest that it may be, and 128: less that, it is -128 and more with its sign, */
export const LOWEST: usize = 0;
/** and at most this, which is -128 for one byte and 127 for all. */
export const SPAN: usize = 16;
/** So many bytes are in it, and HAS_VALUE when a value of any length comes behind it. */
export const LENGTH: usize = 32;
export const HAS_VALUE: u32 = 256;
/** How long that value was the last time, */
export const LAST_LENGTH: usize = 36;
/** and whether it had another length in one of the rows since the shape was learned. */
export const HAS_CHANGED: usize = 40;
export const TILE_BYTES: usize = 48;

/** Behind the last tile. */
export let tilesEnd: usize = TILES;
/** Where the text begins that the tiles from `firstTile` on describe. */
let begin: u32 = 0;
let firstTile: usize = TILES;

/** 16 bytes that may be nothing else, and behind them 16 that may be anything. */
const SPANS: usize = memory.data<u8>([
  128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
  127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127,
], 16);

/** Begins with no tiles, for the text from `at` on. */
export function beginTiles(at: u32): void {
  tilesEnd = TILES;
  beginStretch(at);
}

/** Goes on with the text from `at` on, behind a value of any length. */
export function beginStretch(at: u32): void {
  begin = at;
  firstTile = tilesEnd;
}

/** All up to `to` is as it stands there, until something else is said of it. Returns false when there is no room. */
export function fix(to: u32): bool {
  const wanted = firstTile + ((to - begin + 15) >> 4) * TILE_BYTES;
  if (wanted > TILES + TILES_BYTES) return false;
  let at = textOf(tilesEnd);
  for (let tile = tilesEnd; tile < wanted; tile += TILE_BYTES) {
    v128.store(tile, v128.xor(v128.load(at), v128.load(SPANS)), LOWEST);
    v128.store(tile, v128.load(SPANS), SPAN);
    store<u32>(tile, 16, LENGTH);
    at += 16;
  }
  tilesEnd = wanted;
  return true;
}

/** A value of any length comes behind what was fixed. In the row that is learned it begins at `to` and is so long. */
export function endStretch(to: u32, length: u32): void {
  endTiles(to);
  const tile = tilesEnd - TILE_BYTES;
  store<u32>(tile, load<u32>(tile, LENGTH) | HAS_VALUE, LENGTH);
  store<u32>(tile, length, LAST_LENGTH);
  store<u32>(tile, 0, HAS_CHANGED);
}

/** What was fixed ends at `to`. */
export function endTiles(to: u32): void {
  const tile = tilesEnd - TILE_BYTES;
  const length = to - textOf(tile);
  const rest = v128.load(SPANS + 16 - length);
  const fixed = i8x16.eq(rest, v128.load(SPANS));
  v128.store(tile, v128.bitselect(v128.load(tile, SPAN), rest, fixed), SPAN);
  store<u32>(tile, length, LENGTH);
}

/** Where the text of a tile begins. */
@inline
function textOf(tile: usize): u32 {
  return begin + <u32>((tile - firstTile) / TILE_BYTES) * 16;
}

/** The byte at `at`, which was fixed, may be one from `lowest` to `highest`. */
export function put(at: u32, lowest: u32, highest: u32): void {
  const offset = at - begin;
  const byte = firstTile + (offset >> 4) * TILE_BYTES + (offset & 15);
  store<u8>(byte, <u8>(lowest + 128), LOWEST);
  store<u8>(byte, <u8>(highest - lowest + 128), SPAN);
}
