import type { Machine } from '../measure/machine.js';
import type { SharedReport } from '../shared/run-shared.js';
import { forwardingTables } from './forwarding-tables.js';
import { atMost, type Goal } from './goal.js';
import { megabytes, number } from './numbers.js';
import type { Report } from './report.js';
import { markdownTable, type Column } from './table.js';

const COLUMNS: readonly Column[] = [
  { heading: 'windows', align: 'left' },
  { heading: 'processes', align: 'right' },
  { heading: 'RSS in total', align: 'right' },
  { heading: '`initialize`', align: 'right' },
];

/** The costs and savings of one process for all windows, for readers. */
export function sharedSection(report: SharedReport, { date, cores, cpu, node, loadBefore }: Machine): string {
  const { rounds, windowMs, windows, servers, starts, calls, fleet, initializeMs } = report;
  const rows = (['unshared', 'shared'] as const).map((kind) => [
    kind === 'shared' ? 'with `--shared`' : 'without',
    number(fleet[kind].processes),
    megabytes(fleet[kind].rssBytes),
    `${number(initializeMs[kind])} ms`,
  ]);
  return [
    '## One process for all windows\n',
    `Calls through a window with \`--shared\`, ${rounds} rounds of ${windowMs} ms. CPU time and RSS are those of all processes between client and server; ` +
      `measured on ${date}: ${cores} cores of ${cpu}, Node.js ${node}, load average before: ${loadBefore.toFixed(2)}.\n`,
    forwardingTables(calls),
    `${windows} windows with the same ${servers} servers of the SDK v1. The time to \`initialize\` is the median of ${starts} windows, with the shared process running.\n`,
    markdownTable(COLUMNS, rows),
  ].join('\n');
}

/** The goals of one process for all windows. */
export function sharedGoals({ shared }: Pick<Report, 'shared'>): Goal[] {
  if (shared === null) return [];
  const { calls, fleet, initializeMs } = shared;
  const ratio = calls.cells.find(({ target }) => target === 'shared')?.ratio ?? null;
  return [
    ...atMost(
      'CPU per call through relay and shared process, to the byte pipe',
      2,
      ratio?.cpuMicrosPerCall ?? null,
    ),
    ...atMost('p50 through relay and shared process, to the byte pipe', 1.6, ratio?.p50Ms ?? null),
    ...atMost(
      'RSS of all windows and servers, to that without `--shared`',
      0.25,
      fleet.shared.rssBytes / fleet.unshared.rssBytes,
    ),
    ...atMost(
      '`initialize` of a window, to that without `--shared`',
      1,
      initializeMs.shared / initializeMs.unshared,
    ),
  ];
}
