import xterm from '@xterm/headless';

import { replaceStable } from './stable.mjs';

const SCROLLBACK = 1000;

/** What a terminal of a given size shows: rows of cells, each a character and its style. */
export class Screen {
  #terminal;

  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: SCROLLBACK,
      convertEol: true,
      allowProposedApi: true,
    });
  }

  /** Resolves once the terminal shows the text. */
  async write(text) {
    await new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  /** The rows in view. Blank rows at the end are left out. */
  cells() {
    const buffer = this.#terminal.buffer.active;
    const rows = [];
    for (let y = buffer.baseY; y < buffer.baseY + this.rows; y += 1) rows.push(this.#row(buffer.getLine(y)));
    while (rows.at(-1)?.length === 0) rows.pop();
    return rows;
  }

  #row(line) {
    const cells = [];
    for (let x = 0; x < this.columns; x += 1) {
      const cell = line.getCell(x);
      if (cell.getWidth() > 0) cells.push({ char: cell.getChars() || ' ', style: styleOf(cell) });
    }
    while (cells.at(-1)?.char === ' ' && !cells.at(-1).style.inverse) cells.pop();
    return cells;
  }
}

function styleOf(cell) {
  return {
    color: cell.isFgPalette() ? cell.getFgColor() : undefined,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}

/** The rows with every part that differs from run to run replaced; a replaced part keeps its style. */
export function stableRows(rows) {
  let cells = rows.flatMap((row) => [...row, { char: '\n', style: undefined }]).slice(0, -1);
  replaceStable((part, instead) => {
    cells = replaced(cells, part, instead);
  });
  const result = [[]];
  for (const cell of cells) {
    if (cell.char === '\n') result.push([]);
    else result.at(-1).push(cell);
  }
  return result;
}

function replaced(cells, part, instead) {
  const text = cells.map(({ char }) => char).join('');
  const result = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(part.source, `${part.flags}d`))) {
    result.push(...cells.slice(end, match.index), ...expanded(cells, match, instead));
    end = match.index + match[0].length;
  }
  return [...result, ...cells.slice(end)];
}

/** The cells that stand for a match: groups (`$1` to `$9`) as they were, other text in the style of the last word. */
function expanded(cells, match, instead) {
  const words = typeof instead === 'function' ? [instead(match[0])] : instead.split(/(?=\$\d)|(?<=\$\d)/);
  const place = cells.slice(match.index, match.index + match[0].length);
  const { style } = place.findLast(({ char }) => !' …\n'.includes(char)) ?? {};
  return words.flatMap((word) => {
    const group = /^\$(\d)$/.exec(word)?.[1];
    return group === undefined
      ? [...word].map((char) => ({ char, style: char === '\n' ? undefined : style }))
      : cells.slice(...match.indices[group]);
  });
}
