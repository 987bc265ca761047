import { FIXTURES } from '../fixture-list.js';

const START = '<!-- fixtures -->';
const END = '<!-- /fixtures -->';
const COLUMNS = 100;

/** A Markdown document with the names of all fixtures between its two markers brought up to date. */
export function withFixtureNames(document: string): string {
  const [before, rest] = document.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${START} and ${END} are missing`);
  return `${before}${START}\n\n${fixtureNames()}\n\n${END}${after}`;
}

/** Wrapped as the other prose of a README. */
function fixtureNames(): string {
  const words = Object.keys(FIXTURES).map((name) => `\`${name}\``);
  return words
    .join(', ')
    .replaceAll(new RegExp(`(.{1,${COLUMNS - 1}})(?: |$)`, 'g'), '$1\n')
    .trimEnd();
}
