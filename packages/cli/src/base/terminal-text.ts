import { randomInt } from 'node:crypto';

import { escapeControls } from '@mcpmux/core';

/** Begins a code of this process. Text from elsewhere cannot hold it, because only this process knows the number. */
const OWN_CODE = `\u001B[${randomInt(10 ** 13, 10 ** 14)}`;

/** A code of this process for colour or weight. {@link terminalText} makes it the code that a terminal knows. */
export function styleCode(code: number): string {
  return `${OWN_CODE}${code}m`;
}

/**
 * Text as a terminal may get it: the codes of {@link styleCode} act, and every other control character is written as
 * an escape.
 */
export function terminalText(text: string): string {
  return withParts(text, (code) => `\u001B[${code}m`, escapeControls);
}

/** The same with the codes as {@link styleCode} has them: to be measured, cut, and written later. */
export function harmlessText(text: string): string {
  return withParts(text, (code) => styleCode(Number(code)), escapeControls);
}

/** Replaces the codes of this process and the text between in a styled text. */
export function withParts(
  text: string,
  ofCode: (code: string) => string,
  ofText: (text: string) => string,
): string {
  const [first = '', ...others] = text.split(OWN_CODE);
  // In the order of the text: a caller that cuts it counts the parts as they come.
  const plain = ofText(first);
  const styled = others.map((part) => {
    const end = part.indexOf('m');
    return ofCode(part.slice(0, end)) + ofText(part.slice(end + 1));
  });
  return plain + styled.join('');
}
