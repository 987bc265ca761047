import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packageFolder } from '../program-path.js';
import { forwardingChart } from './chart.js';
import { eraSection, hasEras } from './era-tables.js';
import { goalTable } from './goal.js';
import { httpSection } from './http-table.js';
import { machineLine, toMarkdown } from './markdown.js';
import { httpGoals, urlGoals } from './relay-goals.js';
import type { Report } from './report.js';
import { sharedGoals, sharedSection } from './shared-table.js';
import { urlSection } from './url-table.js';

const RESULTS = ['forwarding', 'startUp', 'install', 'scale', 'oversized'] as const;

/** The text between two markers. */
type Part = 'results' | 'http results' | 'url results' | 'shared results' | 'era results';

/** Puts the results between the markers of `docs/internals/bench.md`, and the chart beside it. What did not run stays as it was. */
export async function writeDocs(report: Report): Promise<void> {
  const docs = join(packageFolder('@mcpmux/cli'), '../../docs/internals');
  const page = join(docs, 'bench.md');
  let text = await readFile(page, 'utf8');
  const parts = partsOf(report);
  for (const [part, results] of parts) text = withResults(text, results, part);
  await writeFile(page, text);
  if (report.forwarding === null || !parts.some(([part]) => part === 'results')) return;
  await writeFile(join(docs, 'bench.svg'), await forwardingChart(report.forwarding.cells));
}

/** The parts that have run, those over HTTP with their goals. A run of the modern era is a part of its own. */
export function partsOf(report: Report): readonly (readonly [Part, string])[] {
  const { forwarding, http, urls, shared, machine } = report;
  const parts: [Part, string][] = [];
  if (hasEras(forwarding)) parts.push(['era results', eraSection(forwarding, machineLine(report))]);
  else if (RESULTS.some((part) => report[part] !== null))
    parts.push(['results', toMarkdown({ ...report, http: null, urls: null, shared: null })]);
  if (http !== null)
    parts.push(['http results', `${httpSection(http, machine)}\n${goalTable(httpGoals(report))}`]);
  if (urls !== null)
    parts.push(['url results', `${urlSection(urls, machine)}\n${goalTable(urlGoals(report))}`]);
  if (shared !== null)
    parts.push(['shared results', `${sharedSection(shared, machine)}\n${goalTable(sharedGoals(report))}`]);
  return parts;
}

/** The page with other results between the markers of a part. */
export function withResults(page: string, results: string, part: Part = 'results'): string {
  const [BEGIN, END] = [`<!-- ${part}: begin -->`, `<!-- ${part}: end -->`];
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`no ${BEGIN} … ${END} in the page`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${results}\n${page.slice(end)}`;
}
