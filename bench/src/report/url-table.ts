import type { Machine } from '../measure/machine.js';
import { PAYLOADS } from '../payload.js';
import type { UrlCell, UrlReport } from '../url/run-urls.js';
import { number } from './numbers.js';
import { absoluteFigures, FIGURE_COLUMNS, markdownTable, ratioFigures, type Column } from './table.js';

const COLUMNS: readonly Column[] = [
  { heading: 'answers', align: 'left' },
  { heading: 'in flight', align: 'right' },
  { heading: 'way', align: 'left' },
  ...FIGURE_COLUMNS,
];

/** The cost of calls of a server at a url, for readers. */
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
  const load = [`${PAYLOADS[payload].label}, ${answers}`, number(inFlight)];
  return [
    [...load, '`node:http` relay', ...absoluteFigures(relay)],
    [...load, 'mcpmux', ...ratioFigures(ratio)],
  ];
}
