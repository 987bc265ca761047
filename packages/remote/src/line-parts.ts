/**
 * A text as the list of chunks in which it arrived: either one part, or several long parts. The first of several parts
 * has at least {@link MIN_FIRST_PART_BYTES}.
 */
export type LineParts = readonly Buffer[];

/** The minimum length of the first of several parts, in bytes. Checks of a text's beginning need no more bytes. */
export const MIN_FIRST_PART_BYTES = 64;
/**
 * The minimum average length of separate parts, in bytes. Shorter parts are joined, because each has a memory overhead.
 */
const MIN_PART_BYTES = 4096;

/** Returns a text's parts. Short parts are joined. Long parts are joined only when the text is read. */
export function joinShortParts(parts: readonly Buffer[]): LineParts {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return parts;
  const length = partsLength(parts);
  const areLong = parts.length * MIN_PART_BYTES <= length && first.length >= MIN_FIRST_PART_BYTES;
  return areLong ? parts : [Buffer.concat(parts, length)];
}

/** Returns the total length in bytes. */
export function partsLength(parts: LineParts): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
