import type { ComparedFront, HttpCell, HttpLoad, HttpReport } from '../http/run-http.js';
import type { ClientEra } from '../load/modern-headers.js';
import type { Machine } from '../measure/machine.js';
import { PAYLOADS } from '../payload.js';
import { ratioTo } from '../measure/ratio.js';
import { kilobytes, number } from './numbers.js';
import { absoluteFigures, FIGURE_COLUMNS, markdownTable, ratioFigures, type Column } from './table.js';

const COLUMNS: readonly Column[] = [
  { heading: 'clients', align: 'left' },
  { heading: 'answers', align: 'left' },
  { heading: 'clients × in flight', align: 'right' },
  { heading: 'front', align: 'left' },
  ...FIGURE_COLUMNS,
];

const BESIDE = COLUMNS.map((column) =>
  column.heading === 'front' ? { ...column, heading: 'other front' } : column,
);

const CLIENTS: Readonly<Record<ClientEra, string>> = { legacy: '2025-06-18', modern: '2026-07-28' };

/** The cost of many clients over HTTP, for readers. */
export function httpSection(report: HttpReport, { date, cores, cpu, node, loadBefore }: Machine): string {
  const { rounds, windowMs, cells, left, leftOut, idleSessions, idleSessionBytes } = report;
  return [
    '## Many clients over HTTP\n',
    `On the loopback interface, one process behind each front. Clients of 2025-06-18 have a session each, requests of 2026-07-28 have none. ${rounds} rounds of ${windowMs} ms; ` +
      `measured on ${date}: ${cores} cores of ${cpu}, Node.js ${node}, load average before: ${loadBefore.toFixed(2)}.\n`,
    markdownTable(COLUMNS, cells.flatMap(rowsOf)),
    ...besideOthers(cells),
    `Each of the ${number(muxCalls(cells))} calls through mcpmux had its own answer. After the clients had gone, ${left.sessions} sessions and ${left.descriptors} descriptors more than before were open.\n`,
    ...leftOut.map(
      ({ front, era, payload, reason }) =>
        `- left out: ${front}, ${CLIENTS[era]}, ${PAYLOADS[payload].label}: ${reason.split('\n', 1)[0]}`,
    ),
    `An idle session with an open stream holds ${kilobytes(idleSessionBytes)} (of ${number(idleSessions)}).\n`,
  ].join('\n');
}

function loadOf({ era, payload, sessions, inFlight }: HttpLoad): readonly string[] {
  return [CLIENTS[era], PAYLOADS[payload].label, `${sessions} × ${inFlight}`];
}

function rowsOf({ relay, fronts, ...cell }: HttpCell): readonly (readonly string[])[] {
  const load = loadOf(cell);
  return [
    [...load, '`node:http` relay', ...absoluteFigures(relay)],
    ...fronts.map(({ front, ratio }) => [...load, labelOf(front), ...ratioFigures(ratio)]),
  ];
}

/** mcpmux by the figures of each other front in the same round: of another build, or of a framework. */
function besideOthers(cells: readonly HttpCell[]): readonly string[] {
  const rows = cells.flatMap(({ fronts, ...load }) => {
    const mux = fronts.find(({ front }) => front === 'mcpmux');
    if (mux === undefined) return [];
    return fronts
      .filter((other) => other !== mux)
      .map(({ front, rounds }) => loadOf(load).concat(front, ratioFigures(ratioTo(rounds, mux.rounds))));
  });
  if (rows.length === 0) return [];
  return ['`mcpmux serve --http` as a multiple of each other front:\n', markdownTable(BESIDE, rows)];
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
