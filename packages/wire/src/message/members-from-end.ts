import { type FoundMembers, foundIn } from './found-members.js';
import type { OwnMembers } from './own-members.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;

/**
 * The members of an object of which only this end is left: brackets are counted backwards, whatever is between them. Behind
 * the end of JSON nothing is open, so each quote before it tells whether a string ends or begins there; only the first one
 * of the text does not, as it may have been escaped. What may have begun before the text is not looked at.
 */
export function membersFromEnd(text: Buffer): OwnMembers {
  return foundIn(text, (found) => walk(text, found));
}

function walk(text: Buffer, found: FoundMembers): void {
  let at = lastByte(text);
  if (text[at] !== CLOSE_BRACE) return;
  for (let depth = 0; at >= 0; at -= 1) {
    const byte = text[at];
    if (byte === QUOTE) {
      const start = stringStart(text, at);
      if (start === undefined) return;
      if (depth === 1) found.take(start);
      at = start;
    }
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth += 1;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth -= 1;
    if (depth === 0) return;
  }
}

/** Where the last byte stands that is no space and no control character; before the text when there is none. */
function lastByte(text: Buffer): number {
  let at = text.length - 1;
  while ((text[at] as number) <= SPACE) at -= 1;
  return at;
}

/** The opening quote of the string that ends with the one at `end`, unless it may stand before the text. */
function stringStart(text: Buffer, end: number): number | undefined {
  for (let at = end - 1; at > 0; at -= 1) {
    if (text[at] !== QUOTE) continue;
    let before = at - 1;
    while (text[before] === BACKSLASH) before -= 1;
    // How many there were before the text is not known.
    if (before < 0) return undefined;
    if ((at - before) % 2 === 1) return at;
  }
  return undefined;
}
