import stringWidth from 'fast-string-width';

import { harmlessText, styleCode, withParts } from '../base/terminal-text.js';

const GAP = '  ';

/** Returns rows in aligned columns, cut at the width of the terminal. Colour codes have no width. */
export function inColumns(rows: readonly (readonly string[])[], width: number): string {
  const widths: number[] = [];
  const shown = rows.map((row) => row.map(harmlessText));
  for (const row of shown) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell));
    }
  }
  return shown.map((row) => line(row, widths, width)).join('\n');
}

/**
 * Returns a server's text as a part of one line. Every character that a terminal would get as an escape becomes a
 * space.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}

function line(row: readonly string[], widths: readonly number[], width: number): string {
  const cells = row.map((cell, index) => {
    const missing = (widths[index] ?? 0) - stringWidth(cell);
    return index < row.length - 1 && missing > 0 ? cell + ' '.repeat(missing) : cell;
  });
  return cut(cells.join(GAP).trimEnd(), width);
}

/** Returns text as lines that fit a width, broken at spaces. A word that is wider stays whole. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of harmlessText(text).split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** Returns a line cut at a width. Only a line that is cut pays for the first segmenter, some milliseconds. */
export function cut(styled: string, width: number): string {
  const text = harmlessText(styled);
  if (stringWidth(text) <= width || width < 10) return text;
  let left = width - 1;
  const graphemes = new Intl.Segmenter();
  // The codes after the cut stay. Otherwise a colour that is open at the cut would continue.
  const shown = withParts(
    text,
    (code) => styleCode(Number(code)),
    (part) =>
      [...graphemes.segment(part)]
        .map(({ segment }) => segment)
        .filter((segment) => (left -= stringWidth(segment)) >= 0)
        .join(''),
  );
  return `${shown}…`;
}
