/** A text in the parts in which it has come: one, or several that are long, the first one at least {@link FIRST_BYTES}. */
export type LineParts = readonly Buffer[];

/** A beginning of a text that is decided by its first bytes. */
export const FIRST_BYTES = 64;
/** Shorter parts are joined: each holds memory beside its bytes. */
const WORTH_APART_BYTES = 4096;

/** The parts of a text, joined where they are short. Long ones are joined once, where the text is read. */
export function lineParts(parts: readonly Buffer[]): LineParts {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return parts;
  const length = partsLength(parts);
  const areLong = parts.length * WORTH_APART_BYTES <= length && first.length >= FIRST_BYTES;
  return areLong ? parts : [Buffer.concat(parts, length)];
}

/** In bytes. */
export function partsLength(parts: LineParts): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
