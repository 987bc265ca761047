import stringWidth from 'fast-string-width';

import { withEscapedControls, styleCode, mapStyledText } from '../base/terminal-text.js';

const COLUMN_GAP = '  ';

/** Aligns rows in columns, and truncates each row to `width`. Style codes do not count towards the width. */
export function inColumns(rows: readonly (readonly string[])[], width: number): string {
  const widths: number[] = [];
  const escapedRows = rows.map((row) => row.map(withEscapedControls));
  for (const row of escapedRows) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell));
    }
  }
  return escapedRows.map((row) => formatRow(row, widths, width)).join('\n');
}

/** Converts a server's text to a single line. Replaces control characters with spaces instead of escaping them. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}

function formatRow(row: readonly string[], widths: readonly number[], width: number): string {
  const cells = row.map((cell, index) => {
    const padding = (widths[index] ?? 0) - stringWidth(cell);
    return index < row.length - 1 && padding > 0 ? cell + ' '.repeat(padding) : cell;
  });
  return truncate(cells.join(COLUMN_GAP).trimEnd(), width);
}

/** Wraps text at spaces to `width` columns. Does not break a word that is longer than that. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of withEscapedControls(text).split(' ')) {
    const extendedLine = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && stringWidth(extendedLine) <= width) lines.splice(-1, 1, extendedLine);
    else lines.push(word);
  }
  return lines;
}

/** Truncates a line to `width` columns, if at least 10. Loads the slow segmenter only for a line that is too long. */
export function truncate(styled: string, width: number): string {
  const text = withEscapedControls(styled);
  if (stringWidth(text) <= width || width < 10) return text;
  let remaining = width - 1;
  const segmenter = new Intl.Segmenter();
  // Style codes after the cut are preserved, because they end the colours that are active at the cut.
  const truncated = mapStyledText(
    text,
    (code) => styleCode(Number(code)),
    (part) =>
      [...segmenter.segment(part)]
        .map(({ segment }) => segment)
        .filter((segment) => (remaining -= stringWidth(segment)) >= 0)
        .join(''),
  );
  return `${truncated}…`;
}
