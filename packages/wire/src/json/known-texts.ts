import { sameBytes } from './key-paths.js';

/** A power of two, so that a slot is found with a mask. */
const SLOTS = 256;
/** Longest text that is kept, in bytes. */
const MAX_BYTES = 64;
const BACKSLASH = '\\';

interface KnownText {
  readonly bytes: Buffer;
  readonly text: string;
}

/**
 * Texts that come again and again in messages, such as methods and names of tools. To compare a few bytes is several
 * times cheaper than to make a string of them, and a string that is the same as before need not be hashed again.
 *
 * A text takes the slot of another when the two collide: nothing grows.
 */
export class KnownTexts {
  private readonly slots: (KnownText | undefined)[] = Array.from({ length: SLOTS });

  /** The text of the JSON string whose first character stands at `start`, and whose closing quote at `end`. */
  at(line: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length > MAX_BYTES || length === 0) return decoded(line, start, end);
    const slot = this.slotOf(line, start, end);
    const known = this.slots[slot];
    if (known !== undefined && sameBytes(known.bytes, line, start, end)) return known.text;
    const text = decoded(line, start, end);
    this.slots[slot] = { bytes: Buffer.from(line.subarray(start, end)), text };
    return text;
  }

  private slotOf(line: Buffer, start: number, end: number): number {
    let hash = end - start;
    for (let at = start; at < end; at += 1) hash = (hash * 31 + (line[at] as number)) | 0;
    return hash & (SLOTS - 1);
  }
}

function decoded(line: Buffer, start: number, end: number): string {
  const text = line.toString('utf8', start, end);
  return text.includes(BACKSLASH) ? (JSON.parse(`"${text}"`) as string) : text;
}
