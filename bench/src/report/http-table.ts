import type { ComparedFront, HttpCell, HttpReport } from '../http/run-http.js';
import type { Machine } from '../measure/machine.js';
import { PAYLOADS } from '../payload.js';
import { kilobytes, number } from './numbers.js';
import { absoluteFigures, FIGURE_COLUMNS, markdownTable, ratioFigures, type Column } from './table.js';

const COLUMNS: readonly Column[] = [
  { heading: 'answers', align: 'left' },
  { heading: 'sessions × in flight', align: 'right' },
  { heading: 'front', align: 'left' },
  ...FIGURE_COLUMNS,
];

/** The cost of many sessions over HTTP, for readers. */
export function httpSection(report: HttpReport, { date, cores, cpu, node, loadBefore }: Machine): string {
  const { rounds, windowMs, cells, left, idleSessions, idleSessionBytes } = report;
  return [
    '## Many sessions over HTTP\n',
    `On the loopback interface, one process behind each front, ${rounds} rounds of ${windowMs} ms; ` +
      `measured on ${date}: ${cores} cores of ${cpu}, Node.js ${node}, load average before: ${loadBefore.toFixed(2)}.\n`,
    markdownTable(COLUMNS, cells.flatMap(rowsOf)),
    `Each of the ${number(muxCalls(cells))} calls through mcpmux had its own answer. After the clients had gone, ${left.sessions} sessions and ${left.descriptors} descriptors more than before were open.\n`,
    `An idle session with an open stream holds ${kilobytes(idleSessionBytes)} (of ${number(idleSessions)}).\n`,
  ].join('\n');
}

function rowsOf({ payload, sessions, inFlight, relay, fronts }: HttpCell): readonly (readonly string[])[] {
  const load = [PAYLOADS[payload].label, `${sessions} × ${inFlight}`];
  return [
    [...load, '`node:http` relay', ...absoluteFigures(relay)],
    ...fronts.map(({ front, ratio }) => [...load, labelOf(front), ...ratioFigures(ratio)]),
  ];
}

function labelOf(front: ComparedFront): string {
  return front === 'mcpmux' ? '`mcpmux serve --http`' : front;
}

function muxCalls(cells: readonly HttpCell[]): number {
  const rounds = cells.flatMap(({ fronts }) =>
    fronts.filter(({ front }) => front === 'mcpmux').flatMap((samples) => samples.rounds),
  );
  return rounds.reduce((sum, { calls }) => sum + calls, 0);
}
