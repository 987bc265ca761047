import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packageFolder } from '../program-path.js';
import { forwardingChart } from './chart.js';
import { toMarkdown } from './markdown.js';
import type { Report } from './report.js';

const BEGIN = '<!-- results: begin -->';
const END = '<!-- results: end -->';

/** Puts the results between the markers of `docs/bench.md`, and the chart beside it. */
export async function writeDocs(report: Report): Promise<void> {
  const docs = join(packageFolder('@mcpmux/cli'), '../../docs');
  const page = join(docs, 'bench.md');
  await writeFile(page, withResults(await readFile(page, 'utf8'), toMarkdown(report)));
  if (report.forwarding === null) return;
  await writeFile(join(docs, 'bench.svg'), await forwardingChart(report.forwarding.cells));
}

/** The page with other results between its markers. */
export function withResults(page: string, results: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`no ${BEGIN} … ${END} in the page`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${results}\n${page.slice(end)}`;
}
