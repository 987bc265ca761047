import { NO_END, valueEndFinder, type ValueEndFinder } from '../json/value-end.js';

/** Levels of brackets that a value may hold here. */
export const LEVELS = 256;

/** What stands behind a line: the next one could go on where this one is cut. */
const NEXT_LINE = Buffer.from(`\n"}]}",0]}:1}true]"}]${'}]'.repeat(64)}`);
/** What stood in the room before: fresh memory for each question would cost more than the question. */
let snapshot: Buffer | undefined;
/** Texts begin anywhere in a block. */
const BLOCK_BYTES = 64;

/**
 * What the finder says of the value at `start`.
 *
 * @throws Error when it says another thing of the same line in its room, where it may only find more, and when it writes
 *   there: others' lines stand there
 */
export function endOf(bytes: Buffer, start = 0, levels = LEVELS): number {
  const finder = valueEndFinder();
  if (finder === undefined) throw new Error('this Node.js has no WebAssembly');
  const inRoom = placed(finder.room, bytes);
  snapshot ??= Buffer.alloc(finder.room.length);
  finder.room.copy(snapshot);
  const endInRoom = inRoom && foundBy(finder, inRoom, start, levels);
  const found = foundBy(finder, bytes, start, levels);
  if (!finder.room.equals(snapshot)) throw new Error('the finder has written into its room');
  if (endInRoom === undefined || JSON.stringify(endInRoom) === JSON.stringify(found)) return found.end;
  if (found.end === NO_END && parses(bytes.subarray(start, endInRoom.end))) return found.end;
  throw new Error(`${JSON.stringify(found)}, but in the room ${JSON.stringify(endInRoom)}`);
}

function foundBy(
  finder: ValueEndFinder,
  bytes: Buffer,
  start: number,
  levels: number,
): { readonly end: number; readonly values?: number } {
  const end = finder.endOf(bytes, start, levels);
  // Of what is no value only that is said.
  return end === NO_END ? { end } : { end, values: finder.values };
}

/** The bytes as a line in the room, if they are one and there is space enough. */
function placed(room: Buffer, bytes: Buffer): Buffer | undefined {
  const offset = bytes.length % BLOCK_BYTES;
  if (bytes.includes('\n') || offset + bytes.length + NEXT_LINE.length > room.length) return undefined;
  bytes.copy(room, offset);
  // Behind the last part of a line that was copied there stands what stood there before.
  const behind = bytes.length % 2 === 0 ? NEXT_LINE : NEXT_LINE.subarray(1);
  behind.copy(room, offset + bytes.length);
  return room.subarray(offset, offset + bytes.length);
}

/** Whether `JSON.parse` takes these bytes. */
export function parses(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('latin1'));
    return true;
  } catch {
    return false;
  }
}

/** How many values a JSON text without white space holds on all levels, itself included; a key that stands twice is two. */
export function valuesIn(text: string): number {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, '0');
  const count = (parts: RegExp): number => bare.match(parts)?.length ?? 0;
  return 1 + count(/,/gu) + count(/[[{](?![\]}])/gu);
}

/** `text` as the second element of an array, beginning at `start`. */
export function asSecondElement(text: Buffer, start: number): Buffer {
  const first = `["${'x'.repeat(start - 4)}",`;
  return Buffer.concat([Buffer.from(first), text, Buffer.from(']')]);
}
