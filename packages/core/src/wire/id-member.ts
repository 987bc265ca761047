import type { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';
import { findKey, keyPaths } from './key-paths.js';
import type { Span } from './span.js';

const COLON = 0x3a;
const ID = keyPaths(['id']);

/**
 * The span of the value of the member whose key stands at `[keyStart, keyEnd)`, quotes excluded, if that is an `id`.
 *
 * @throws JsonSyntaxError when the value is none
 */
export function idValue(
  reader: JsonReader,
  line: Buffer,
  keyStart: number,
  keyEnd: number,
): Span | undefined {
  const colon = reader.afterSpace(keyEnd + 1);
  if (line[colon] !== COLON || findKey(ID, line, keyStart, keyEnd) === undefined) return undefined;
  const start = reader.afterSpace(colon + 1);
  return { start, end: reader.value(start) };
}

/** All that `collect` finds before something that is no JSON. */
export function foundBefore(collect: (found: Span[]) => void): readonly Span[] {
  const found: Span[] = [];
  try {
    collect(found);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return found;
}

/** The one that was found; none of several, as peers differ in which one they take. */
export function onlyOf([only, ...others]: readonly Span[]): Span | undefined {
  return others.length === 0 ? only : undefined;
}
