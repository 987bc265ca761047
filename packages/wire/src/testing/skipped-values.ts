import { jsonSkipper, NO_END, type JsonSkipper } from '../json/json-skipper.js';

/** Levels of brackets that a value may hold here. */
export const LEVELS = 256;

/** What stands behind a line: the next one could go on where this one is cut. */
const NEXT_LINE = Buffer.from(`\n"}]}",0]}:1}true]"}]${'}]'.repeat(64)}`);
/** What stood in the read buffer before: fresh memory for each question would cost more than the question. */
let snapshot: Buffer | undefined;
/** Text begins anywhere in a block. */
const BLOCK_BYTES = 64;

/**
 * What the skipper says of the value at `start`.
 *
 * @throws Error when it says another thing of the same line in its read buffer, where it may only find more, and when it
 *   writes there: others' lines stand there
 */
export function endOf(bytes: Buffer, start = 0, levels = LEVELS): number {
  const skipper = jsonSkipper();
  if (skipper === undefined) throw new Error('this Node.js has no WebAssembly');
  const inBuffer = placed(skipper.readBuffer, bytes);
  snapshot ??= Buffer.alloc(skipper.readBuffer.length);
  skipper.readBuffer.copy(snapshot);
  const endInBuffer = inBuffer && foundBy(skipper, inBuffer, start, levels);
  const found = foundBy(skipper, bytes, start, levels);
  if (!skipper.readBuffer.equals(snapshot)) throw new Error('the skipper has written into its read buffer');
  if (endInBuffer === undefined || JSON.stringify(endInBuffer) === JSON.stringify(found)) return found.end;
  if (found.end === NO_END && parses(bytes.subarray(start, endInBuffer.end))) return found.end;
  throw new Error(`${JSON.stringify(found)}, but in the read buffer ${JSON.stringify(endInBuffer)}`);
}

function foundBy(
  skipper: JsonSkipper,
  bytes: Buffer,
  start: number,
  levels: number,
): { readonly end: number; readonly values?: number } {
  const end = skipper.skipValue(bytes, start, levels);
  // Of what is no value only that is said.
  return end === NO_END ? { end } : { end, values: skipper.valueCount };
}

/** The bytes as a line in the read buffer, if they are one and there is space enough. */
function placed(buffer: Buffer, bytes: Buffer): Buffer | undefined {
  const offset = bytes.length % BLOCK_BYTES;
  if (bytes.includes('\n') || offset + bytes.length + NEXT_LINE.length > buffer.length) return undefined;
  bytes.copy(buffer, offset);
  // Behind the last part of a line that was copied there stands what stood there before.
  const behind = bytes.length % 2 === 0 ? NEXT_LINE : NEXT_LINE.subarray(1);
  behind.copy(buffer, offset + bytes.length);
  return buffer.subarray(offset, offset + bytes.length);
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

/** `text` as the second element of an array, beginning at `start`. */
export function asSecondElement(text: Buffer, start: number): Buffer {
  const first = `["${'x'.repeat(start - 4)}",`;
  return Buffer.concat([Buffer.from(first), text, Buffer.from(']')]);
}
