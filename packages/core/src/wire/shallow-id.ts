import { foundBefore, idValue, onlyOf } from './id-member.js';
import { JsonReader } from './json-reader.js';
import type { Span } from './span.js';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * The span of the member `id` of the object on a line that nests too deeply to be read; none when it stands twice, as peers
 * differ in which one they take. Clients often write it behind the params, where reading has not come to it.
 */
export function shallowId(line: Buffer): Span | undefined {
  return onlyOf(shallowIds(line));
}

/**
 * The spans of the members `id` of the object on such a line, or of one of which this is the begin: brackets are counted,
 * whatever is between them. What follows something that is no JSON is not looked at.
 */
export function shallowIds(line: Buffer): readonly Span[] {
  return foundBefore((found) => collectIds(line, found));
}

function collectIds(line: Buffer, found: Span[]): void {
  const reader = new JsonReader(line);
  let at = reader.afterSpace(0);
  if (line[at] !== OPEN_BRACE) return;
  let depth = 0;
  do {
    const byte = line[at];
    if (byte === QUOTE) {
      const keyStart = at + 1;
      at = reader.string(at);
      const id = depth === 1 ? idValue(reader, line, keyStart, at - 1) : undefined;
      at = id?.end ?? at;
      // The text may be the begin of a line: of a number there may have been more.
      if (id !== undefined && at < line.length) found.push(id);
    } else {
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
      at += 1;
    }
  } while (depth > 0 && at < line.length);
}
