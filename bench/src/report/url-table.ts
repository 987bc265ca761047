import { median } from '../measure/statistics.js';
import type { Machine } from '../measure/machine.js';
import { PAYLOADS } from '../payload.js';
import type { UrlCell, UrlRatio, UrlReport } from '../url/run-urls.js';
import { megabytes, number, times } from './numbers.js';
import { FIGURE_COLUMNS, markdownTable, type Column } from './table.js';

const COLUMNS: readonly Column[] = [
  { heading: 'answers', align: 'left' },
  { heading: 'in flight', align: 'right' },
  { heading: 'way', align: 'left' },
  ...FIGURE_COLUMNS,
];

/** What calls of a server at a url cost, for readers. */
export function urlSection(report: UrlReport, { date, cores, cpu, node, loadBefore }: Machine): string {
  const { rounds, windowMs, cells } = report;
  return [
    '## Servers at urls\n',
    `One client on stdio and one server over Streamable HTTP on the loopback interface, ${rounds} rounds of ${windowMs} ms for each way; ` +
      `measured on ${date}: ${cores} cores of ${cpu}, Node.js ${node}, load average before: ${loadBefore.toFixed(2)}.\n`,
    markdownTable(COLUMNS, cells.flatMap(rowsOf)),
  ].join('\n');
}

function rowsOf({ payload, answers, inFlight, relay, ratio }: UrlCell): readonly (readonly string[])[] {
  const of = (figure: keyof UrlRatio): number =>
    median(relay.map((figures) => figures[figure] ?? Number.NaN));
  const what = `${PAYLOADS[payload].label}, ${answers}`;
  return [
    [
      what,
      number(inFlight),
      '`node:http` relay',
      number(of('callsPerSecond')),
      `${number(of('p50Ms'))} ms`,
      `${number(of('p99Ms'))} ms`,
      `${number(of('cpuMicrosPerCall'))} µs`,
      megabytes(of('rssBytes')),
    ],
    [
      what,
      number(inFlight),
      'mcpmux',
      times(ratio.callsPerSecond),
      times(ratio.p50Ms),
      times(ratio.p99Ms),
      times(ratio.cpuMicrosPerCall),
      times(ratio.rssBytes),
    ],
  ];
}
