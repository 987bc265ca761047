import type { HttpReport, RatioOf } from '../http/run-http.js';
import { median } from '../measure/statistics.js';
import type { Machine } from '../measure/machine.js';
import { megabytes, number, times } from './numbers.js';
import { FIGURE_COLUMNS, markdownTable, type Column } from './table.js';

const COLUMNS: readonly Column[] = [{ heading: 'front', align: 'left' }, ...FIGURE_COLUMNS];

const MS_PER_SECOND = 1000;

/** What many sessions over HTTP cost, for readers. */
export function httpSection(report: HttpReport, { date, cores, cpu, node, loadBefore }: Machine): string {
  const { sessions, rounds, windowMs, samples, ratio, left } = report;
  const seconds = (rounds * windowMs) / MS_PER_SECOND;
  const relay = (figure: RatioOf | 'rssBytes'): number =>
    median(samples.relay.map((figures) => figures[figure] ?? Number.NaN));
  const rss = median(samples.mcpmux.map(({ rssBytes }) => rssBytes ?? Number.NaN));
  const rows = [
    [
      '`node:http` relay',
      number(relay('callsPerSecond')),
      `${number(relay('p50Ms'))} ms`,
      `${number(relay('p99Ms'))} ms`,
      `${number(relay('cpuMicrosPerCall'))} µs`,
      megabytes(relay('rssBytes')),
    ],
    [
      '`mcpmux serve --http`',
      times(ratio.callsPerSecond),
      times(ratio.p50Ms),
      times(ratio.p99Ms),
      times(ratio.cpuMicrosPerCall),
      times(rss / relay('rssBytes')),
    ],
  ];
  const calls = samples.mcpmux.reduce((sum, figures) => sum + figures.calls, 0);
  return [
    '## Many sessions over HTTP\n',
    `${sessions} sessions on the loopback interface, each with one call in flight, ${number(seconds)} s in ${rounds} rounds for each front; ` +
      `measured on ${date}: ${cores} cores of ${cpu}, Node.js ${node}, load average before: ${loadBefore.toFixed(2)}.\n`,
    markdownTable(COLUMNS, rows),
    `Each of the ${number(calls)} calls through mcpmux had its own answer. After the clients had gone, ${left.sessions} sessions and ${left.descriptors} descriptors more than before were open.\n`,
  ].join('\n');
}
