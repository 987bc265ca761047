import { valueEndFinder } from '../wire/value-end.js';

/** Levels of brackets that a value may hold here. */
export const LEVELS = 256;

/** What the finder says of the value at `start`. */
export function endOf(bytes: Buffer, start = 0, levels = LEVELS): number {
  const finder = valueEndFinder();
  if (finder === undefined) throw new Error('this Node.js has no WebAssembly');
  return finder.endOf(bytes, start, levels);
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
