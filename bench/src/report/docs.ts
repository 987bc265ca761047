import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packageFolder } from '../program-path.js';
import { forwardingChart } from './chart.js';
import { httpSection } from './http-table.js';
import { eraSection, hasEras } from './era-tables.js';
import { machineLine, toMarkdown } from './markdown.js';
import type { Report } from './report.js';

const RESULTS = ['forwarding', 'startUp', 'install', 'scale', 'oversized'] as const;

/** What stands between two markers. */
type Part = 'results' | 'http results' | 'era results';

/** Puts the results between the markers of `docs/bench.md`, and the chart beside it. What did not run stays as it was. */
export async function writeDocs({ http, ...report }: Report): Promise<void> {
  const { forwarding } = report;
  if (hasEras(forwarding)) return writeEras(eraSection(forwarding, machineLine({ ...report, http })));
  const docs = join(packageFolder('@mcpmux/cli'), '../../docs');
  const page = join(docs, 'bench.md');
  const before = await readFile(page, 'utf8');
  const isHttpAlone = http !== null && RESULTS.every((part) => report[part] === null);
  const withMost = isHttpAlone ? before : withResults(before, toMarkdown({ ...report, http: null }));
  const httpResults = http === null ? undefined : httpSection(http, report.machine);
  await writeFile(
    page,
    httpResults === undefined ? withMost : withResults(withMost, httpResults, 'http results'),
  );
  if (report.forwarding === null) return;
  await writeFile(join(docs, 'bench.svg'), await forwardingChart(report.forwarding.cells));
}

/** A run of the modern era is a part of its own: the other results stay as they were. */
async function writeEras(section: string): Promise<void> {
  const page = join(packageFolder('@mcpmux/cli'), '../../docs', 'bench.md');
  await writeFile(page, withResults(await readFile(page, 'utf8'), section, 'era results'));
}

/** The page with other results between the markers of a part. */
export function withResults(page: string, results: string, part: Part = 'results'): string {
  const [BEGIN, END] = [`<!-- ${part}: begin -->`, `<!-- ${part}: end -->`];
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`no ${BEGIN} … ${END} in the page`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${results}\n${page.slice(end)}`;
}
