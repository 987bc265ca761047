/** A part of a page as data: a paragraph or a heading in Markdown, or the rows of a table, its head first. */
export type Block = string | readonly (readonly string[])[];

const BLANK = /\n\s*\n/;
const BETWEEN_CELLS = /(?<!\\)\|/;

/** The blocks of a page in Markdown. */
export function blocksOf(markdown: string): readonly Block[] {
  return markdown
    .trim()
    .split(BLANK)
    .map((block) => (block.startsWith('|') ? rowsOf(block) : block));
}

function rowsOf(table: string): readonly (readonly string[])[] {
  const [head = '', , ...body] = table.split('\n');
  return [head, ...body].map((row) => {
    const cells = row.trim().slice(1, -1).split(BETWEEN_CELLS);
    return cells.map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
  });
}
