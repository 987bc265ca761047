import { type FoundMembers, foundIn, type OwnMembers } from './own-members.js';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * The members of the object on a line that cannot be read because it nests too deeply, or of which only this begin is left.
 * Brackets are counted, whatever is between them.
 */
export function membersFromBegin(text: Buffer): OwnMembers {
  return foundIn(text, (found) => walk(text, found));
}

function walk(text: Buffer, found: FoundMembers): void {
  let at = found.reader.afterSpace(0);
  if (text[at] !== OPEN_BRACE) return;
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
  } while (depth > 0 && at < text.length && !found.isEnough);
}
