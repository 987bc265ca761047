import { FIXTURES } from '../fixture-list.js';

const START = '<!-- fixtures -->';
const END = '<!-- /fixtures -->';

/** A Markdown document with the table of all fixtures between its two markers brought up to date. */
export function withFixtureTable(document: string): string {
  const [before, rest] = document.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${START} and ${END} are missing`);
  return `${before}${START}\n\n${fixtureTable()}\n${END}${after}`;
}

// padded as prettier pads, so that the formatter and the test agree
function fixtureTable(): string {
  const rows = [
    ['fixture', 'behaviour'],
    ...Object.entries(FIXTURES).map(([name, text]) => [`\`${name}\``, text]),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head = [], ...body] = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
