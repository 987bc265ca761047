import { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';
import { findKey, keyPaths } from './key-paths.js';
import type { Span } from './span.js';

const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const ID = keyPaths(['id']);

/**
 * The span of the member `id` of the object on a line that nests too deeply to be read, or in the begin of a longer one:
 * brackets are counted, whatever is between them. Clients often write the id behind the params, where reading has not come to it.
 */
export function shallowId(line: Buffer): Span | undefined {
  try {
    return findId(line);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function findId(line: Buffer): Span | undefined {
  const reader = new JsonReader(line);
  let at = reader.afterSpace(0);
  if (line[at] !== OPEN_BRACE) return undefined;
  let depth = 0;
  while (at < line.length) {
    const byte = line[at];
    if (byte === QUOTE) {
      const keyStart = at + 1;
      at = reader.string(at);
      const colon = reader.afterSpace(at);
      if (depth === 1 && line[colon] === COLON && findKey(ID, line, keyStart, at - 1) !== undefined) {
        const valueStart = reader.afterSpace(colon + 1);
        const end = reader.value(valueStart);
        // The text may be the begin of a line: of a number there may have been more.
        return end < line.length ? { start: valueStart, end } : undefined;
      }
    } else {
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
      at += 1;
    }
  }
  return undefined;
}
