import { randomInt } from 'node:crypto';

import { escapeControls } from '@mcpmux/core';

/** Text from elsewhere cannot hold a code with this number, because only this process knows it. */
const NUMBER = String(randomInt(10 ** 13, 10 ** 14));
// oxlint-disable-next-line no-control-regex -- codes of this process
const OWN_CODE = new RegExp(`\\u001B\\[${NUMBER}(\\d{1,3})m`);

/** A code of this process for colour or weight. {@link terminalText} makes it the code that a terminal knows. */
export function styleCode(code: number): string {
  return `\u001B[${NUMBER}${code}m`;
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
  return text
    .split(OWN_CODE)
    .map((part, index) => (index % 2 === 1 ? ofCode(part) : ofText(part)))
    .join('');
}
