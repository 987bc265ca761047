// Results of a measurement as data: a string is a paragraph or a heading in Markdown, a list of rows is a table whose first
// row is its head.

const NUMBER = /^[≤≥<>]?\s*[–\d]/;

/** The Markdown of the blocks. */
export function markdownOf(blocks) {
  return blocks.map((block) => (typeof block === 'string' ? `${block}\n` : tableOf(block))).join('\n');
}

/** A table in Markdown. Columns of numbers are aligned to the right. */
export function tableOf([head, ...body]) {
  const rules = head.map((_, column) => (body.every((row) => NUMBER.test(row[column])) ? '-:' : '-'));
  const lines = [head, rules, ...body].map(
    (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return `${lines.join('\n')}\n`;
}
