import { randomInt } from 'node:crypto';

import { escapeControls } from '@mcpmux/core';

/**
 * The random prefix of this process's style codes. Text from other sources cannot forge it, because its numbers are
 * secret. Created on first use, because a process that only serves clients uses no styles.
 */
let stylePrefix: string | undefined;

/** Returns this process's code for a colour or font weight. {@link terminalText} converts it to an escape sequence. */
export function styleCode(code: number): string {
  return `${(stylePrefix ??= newStylePrefix())}${code}m`;
}

/** Returns a new prefix. `fast-string-width` would count numbers of more than four digits as visible text. */
function newStylePrefix(): string {
  const numbers = Array.from({ length: 4 }, () => randomInt(1000, 10_000));
  return `\u001B[${numbers.join(';')};`;
}

/** Makes text safe for a terminal. Applies the codes of {@link styleCode} and escapes all other control characters. */
export function terminalText(text: string): string {
  return mapStyledText(text, (code) => `\u001B[${code}m`, escapeControls);
}

/**
 * Escapes control characters as {@link terminalText} does, but preserves the codes of {@link styleCode}. The result can
 * be measured, truncated and written later.
 */
export function withEscapedControls(text: string): string {
  return mapStyledText(text, (code) => styleCode(Number(code)), escapeControls);
}

/** Maps each style code in a text with `mapCode`, and the text between the codes with `mapText`. */
export function mapStyledText(
  text: string,
  mapCode: (code: string) => string,
  mapText: (text: string) => string,
): string {
  const [first = '', ...others] = stylePrefix === undefined ? [text] : text.split(stylePrefix);
  // Maps the parts in order, because a caller that truncates the text keeps a running total of their widths.
  const plain = mapText(first);
  const styled = others.map((part) => {
    const codeEnd = part.indexOf('m');
    return mapCode(part.slice(0, codeEnd)) + mapText(part.slice(codeEnd + 1));
  });
  return plain + styled.join('');
}
