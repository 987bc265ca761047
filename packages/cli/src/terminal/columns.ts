import stringWidth from 'string-width';

const GAP = '  ';
const GRAPHEMES = new Intl.Segmenter();
// oxlint-disable-next-line no-control-regex -- a colour, kept by split
const ANSI_PART = /(\u001B\[\d+m)/;

/** Rows in aligned columns, cut at the width of the terminal. Colour codes have no width. */
export function inColumns(rows: readonly (readonly string[])[], width: number): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell));
    }
  }
  return rows.map((row) => line(row, widths, width)).join('\n');
}

/** Replaces control characters by spaces, so that a text of a server cannot move the cursor. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

function line(row: readonly string[], widths: readonly number[], width: number): string {
  const cells = row.map((cell, index) => {
    const missing = (widths[index] ?? 0) - stringWidth(cell);
    return index < row.length - 1 && missing > 0 ? cell + ' '.repeat(missing) : cell;
  });
  return cut(cells.join(GAP).trimEnd(), width);
}

/** A line cut at a width. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width || width < 10) return text;
  let left = width - 1;
  const parts = text.split(ANSI_PART).map((part) => {
    if (part.startsWith('\u001B[')) return part;
    return [...GRAPHEMES.segment(part)]
      .map(({ segment }) => segment)
      .filter((segment) => (left -= stringWidth(segment)) >= 0)
      .join('');
  });
  // Without the reset, a colour that is open at the cut would go on.
  const end = parts.length > 1 ? '\u001B[0m' : '';
  return `${parts.join('')}…${end}`;
}
