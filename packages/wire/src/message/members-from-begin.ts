import { type FoundMembers, foundIn } from './found-members.js';
import { JsonReader } from '../json/json-reader.js';
import type { OwnMembers } from './own-members.js';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * The members of the object on a line that cannot be read, or of which only this begin is left; undefined for what is no object.
 * Brackets are counted, whatever is between them.
 */
export function membersFromBegin(text: Buffer): OwnMembers | undefined {
  const start = new JsonReader(text).afterSpace(0);
  return text[start] === OPEN_BRACE ? foundIn(text, (found) => walk(text, start, found)) : undefined;
}

function walk(text: Buffer, start: number, found: FoundMembers): void {
  let at = start;
  let depth = 0;
  do {
    const byte = text[at];
    if (byte === QUOTE) {
      at = depth === 1 ? found.take(at) : found.reader.string(at);
    } else {
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
      at += 1;
    }
  } while (depth > 0 && at < text.length);
}
