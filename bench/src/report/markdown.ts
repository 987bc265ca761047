import type { ForwardingReport } from '../forwarding/cell.js';
import { sharedShare } from '../measure/core-sharing.js';
import { forwardingTables } from './forwarding-tables.js';
import { gatewaySection } from './gateway-tables.js';
import { goalTable } from './goal.js';
import { goals } from './goals.js';
import { httpSection } from './http-table.js';
import { megabytes, number } from './numbers.js';
import type { Report } from './report.js';
import { scaleTables } from './scale-tables.js';
import { searchSection } from './search-table.js';
import { sharedSection } from './shared-table.js';
import { urlSection } from './url-table.js';
import { markdownTable, type Column } from './table.js';

const COST_COLUMNS: readonly Column[] = [
  { heading: 'what', align: 'left' },
  { heading: 'measured', align: 'right' },
];

/** A report for readers, with headings from the second level down. */
export function toMarkdown(report: Report): string {
  const { forwarding, scale } = report;
  const sections = [machineLine(report), goalSection(report)];
  if (forwarding !== null) {
    const introduction =
      'The byte pipe in absolute numbers, everything else as a multiple of it: medians over the rounds.';
    sections.push(`## Forwarding\n\n${introduction}\n\n${forwardingTables(forwarding)}`);
  }
  sections.push(costSection(report));
  if (scale !== null) {
    const introduction =
      'The last line of each table says how many times more the last size costs than the first.';
    sections.push(`## Scale\n\n${introduction}\n\n${scaleTables(scale)}`);
  }
  if (report.http !== null) sections.push(httpSection(report.http, report.machine));
  if (report.urls !== null) sections.push(urlSection(report.urls, report.machine));
  if (report.shared !== null) sections.push(sharedSection(report.shared, report.machine));
  if (report.gateways !== null) sections.push(gatewaySection(report.gateways, report.machine));
  if (report.search !== null) sections.push(searchSection(report.search));
  return sections.filter((section) => section !== '').join('\n');
}

/** On which machine and how a report was measured. */
export function machineLine({ machine, options, seconds, stolenShare, forwarding }: Report): string {
  const { cpu, cores, memoryBytes, system, node, loadBefore, date } = machine;
  const { rounds, window } = options;
  const where = `${cores} cores of ${cpu}, ${number(memoryBytes / 1e9)} GB, ${system}, Node.js ${node}`;
  const how = `${rounds} rounds of ${window.windowMs} ms, ${seconds} s in all`;
  const alone = [
    `load average before: ${loadBefore.toFixed(2)}`,
    `${percent(stolenShare)} % of CPU time stolen`,
    ...sharedWindows(forwarding),
  ];
  return `Measured on ${date}: ${where}; ${how}, ${alone.join(', ')}.\n`;
}

function sharedWindows(forwarding: ForwardingReport | null): string[] {
  const samples = forwarding?.cells.flatMap((cell) => cell.samples) ?? [];
  if (samples.length === 0) return [];
  return [
    `${percent(sharedShare(samples.map(({ cyclesPerTurn }) => cyclesPerTurn)))} % of windows begun or ended on a shared core`,
  ];
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function goalSection(report: Report): string {
  if (report.isSmoke) return 'A smoke run: it shows that everything works; its numbers mean nothing.\n';
  const table = goalTable(goals(report));
  return table === '' ? '' : `## Goals\n\n${table}`;
}

function costSection({ startUp, install }: Report): string {
  const rows: string[][] = [];
  if (startUp !== null) {
    const { node, mcpmux } = startUp;
    rows.push(
      ['`node -e 0`, spawn to exit, median', `${number(node.median)} ms`],
      ['mcpmux, spawn to `initialize` answered, median', `${number(mcpmux.median)} ms`],
      ['the same, nine of ten starts', `${number(mcpmux.p90)} ms`],
    );
  }
  if (install !== null) {
    rows.push(
      ['tarball of the command', megabytes(install.tarballBytes)],
      ['installed, all files', megabytes(install.installedBytes)],
      ['installed packages', String(install.packages)],
    );
  }
  return rows.length === 0 ? '' : `## Start and install\n\n${markdownTable(COST_COLUMNS, rows)}`;
}
