import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { packageFolder } from '../program-path.js';
import { blocksOf, type Block } from './blocks.js';
import { eraSection, hasEras } from './era-tables.js';
import { gatewaySection } from './gateway-tables.js';
import { goalTable } from './goal.js';
import { httpSection } from './http-table.js';
import { machineLine, toMarkdown } from './markdown.js';
import { httpGoals, urlGoals } from './relay-goals.js';
import type { Report } from './report.js';
import { searchSection } from './search-table.js';
import { sharedGoals, sharedSection } from './shared-table.js';
import { urlSection } from './url-table.js';

const RESULTS = ['forwarding', 'startUp', 'install', 'scale', 'oversized'] as const;

/** A part of the results that a run replaces as a whole. */
type Part = 'results' | 'http' | 'url' | 'shared' | 'era' | 'gateway' | 'search';

/** Puts the results into `docs/internals/bench.json`, of which the site makes a page. What did not run stays as it was. */
export async function writeDocs(report: Report): Promise<void> {
  const file = join(packageFolder('@mcpmux/cli'), '../../docs/internals/bench.json');
  const before: unknown = JSON.parse(await readFile(file, 'utf8'));
  const parts = partsOf(report).map(([part, markdown]) => [part, blocksOf(markdown)]);
  await writeFile(file, textOf({ ...(before as Record<string, Block[]>), ...Object.fromEntries(parts) }));
}

/** The parts that have run, those over HTTP with their goals. A run of the modern era is a part of its own. */
export function partsOf(report: Report): readonly (readonly [Part, string])[] {
  const { forwarding, http, urls, shared, gateways, search, machine } = report;
  const parts: [Part, string][] = [];
  if (hasEras(forwarding)) parts.push(['era', eraSection(forwarding, machineLine(report))]);
  else if (RESULTS.some((part) => report[part] !== null))
    parts.push([
      'results',
      toMarkdown({ ...report, http: null, urls: null, shared: null, gateways: null, search: null }),
    ]);
  if (http !== null) parts.push(['http', `${httpSection(http, machine)}\n${goalTable(httpGoals(report))}`]);
  if (urls !== null) parts.push(['url', `${urlSection(urls, machine)}\n${goalTable(urlGoals(report))}`]);
  if (shared !== null)
    parts.push(['shared', `${sharedSection(shared, machine)}\n${goalTable(sharedGoals(report))}`]);
  if (search !== null) parts.push(['search', searchSection(search)]);
  if (gateways !== null) parts.push(['gateway', gatewaySection(gateways, machine)]);
  return parts;
}

/** One row of a table a line, so that a difference shows the figure that has changed. */
export function textOf(data: Readonly<Record<string, readonly Block[]>>): string {
  const parts = Object.entries(data).map(
    ([part, blocks]) => `  ${JSON.stringify(part)}: [\n${blocks.map(blockText).join(',\n')}\n  ]`,
  );
  return `{\n${parts.join(',\n')}\n}\n`;
}

function blockText(block: Block): string {
  if (typeof block === 'string') return `    ${JSON.stringify(block)}`;
  const rows = block.map((row) => `      [${row.map((cell) => JSON.stringify(cell)).join(', ')}]`);
  return `    [\n${rows.join(',\n')}\n    ]`;
}
