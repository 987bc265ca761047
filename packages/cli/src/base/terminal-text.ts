import { randomInt } from 'node:crypto';

import { escapeControls } from '@mcpmux/core';

/**
 * Begins a style code of this process. Text from elsewhere cannot contain it, because only this process knows the
 * numbers. It is made for the first style: an answer to a client has none.
 */
let ownCode: string | undefined;

/** Returns a code of this process for a colour or a weight. {@link terminalText} turns it into a terminal code. */
export function styleCode(code: number): string {
  return `${(ownCode ??= newCode())}${code}m`;
}

/** A number of more than four digits would count as text of that width. */
function newCode(): string {
  const numbers = Array.from({ length: 4 }, () => randomInt(1000, 10_000));
  return `\u001B[${numbers.join(';')};`;
}

/**
 * Makes text safe for a terminal. The codes of {@link styleCode} take effect, and every other control character is
 * escaped.
 */
export function terminalText(text: string): string {
  return withParts(text, (code) => `\u001B[${code}m`, escapeControls);
}

/**
 * Escapes control characters as {@link terminalText} does, but keeps the codes of {@link styleCode}. The result can be
 * measured, cut and written later.
 */
export function harmlessText(text: string): string {
  return withParts(text, (code) => styleCode(Number(code)), escapeControls);
}

/** Replaces the codes of this process in a styled text, and the text between the codes. */
export function withParts(
  text: string,
  ofCode: (code: string) => string,
  ofText: (text: string) => string,
): string {
  const [first = '', ...others] = ownCode === undefined ? [text] : text.split(ownCode);
  // In the order of the text, because a caller that cuts the text counts the parts as they are replaced.
  const plain = ofText(first);
  const styled = others.map((part) => {
    const end = part.indexOf('m');
    return ofCode(part.slice(0, end)) + ofText(part.slice(end + 1));
  });
  return plain + styled.join('');
}
