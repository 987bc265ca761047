/**
 * A text in the parts in which it arrived. It has one part, or several long parts, of which the first has at least
 * {@link FIRST_BYTES}.
 */
export type LineParts = readonly Buffer[];

/** The number of bytes that is enough to check the beginning of a text. */
export const FIRST_BYTES = 64;
/** Parts that are shorter on average are joined, because each part needs memory in addition to its bytes. */
const WORTH_APART_BYTES = 4096;

/** Returns the parts of a text, joined if they are short. Long parts are joined once, when the text is read. */
export function lineParts(parts: readonly Buffer[]): LineParts {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return parts;
  const length = partsLength(parts);
  const areLong = parts.length * WORTH_APART_BYTES <= length && first.length >= FIRST_BYTES;
  return areLong ? parts : [Buffer.concat(parts, length)];
}

/** Returns the total length in bytes. */
export function partsLength(parts: LineParts): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
