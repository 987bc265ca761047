import type { CallsOf, GatewayReport } from '../gateways/gateway-report.js';
import { FLOOR } from '../gateways/known-gateways.js';
import type { Machine } from '../measure/machine.js';
import { ratioTo } from '../measure/ratio.js';
import { PAYLOADS, type PayloadName } from '../payload.js';
import { megabytes, number } from './numbers.js';
import { absoluteFigures, FIGURE_COLUMNS, markdownTable, ratioFigures, type Column } from './table.js';

const CALL_COLUMNS: readonly Column[] = [
  { heading: 'in flight', align: 'right' },
  { heading: 'gateway', align: 'left' },
  ...FIGURE_COLUMNS,
];

const NONE = '–';
/** A load average above which a run is disturbed. */
const BUSY = 0.5;

/** The comparison of gateways, for readers. */
export function gatewaySection(
  report: GatewayReport,
  { date, cores, cpu, node, loadBefore }: Machine,
): string {
  const { rounds, windowMs } = report.options;
  const sections = [
    '## Gateways\n',
    `Measured on ${date}: ${cores} cores of ${cpu}, Node.js ${node}; ${rounds} rounds of ${windowMs} ms, load average before: ${loadBefore.toFixed(2)}.${loadBefore > BUSY ? ' Other programs ran at the same time, which ratios suffer from less than absolute numbers.' : ''}\n`,
    '`npm run bench -- --peers` repeats the comparison; the README of `bench` names its flags.\n',
    `Versions: ${versionsOf(report)}.\n`,
    ...callTables(report.calls),
    standingTable(report),
    leftOutList(report),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function callTables(calls: readonly CallsOf[]): readonly string[] {
  if (calls.length === 0) return [];
  const payloads = [...new Set(calls.map(({ payload }) => payload))];
  return [
    `The ${FLOOR} in absolute numbers, all others as multiples of it in the same round. CPU time and RSS are those of all processes of the gateway.\n`,
    ...payloads.map(
      (payload) => `### Calls through gateways, ${PAYLOADS[payload].label}\n\n${callTable(payload, calls)}`,
    ),
  ];
}

function callTable(payload: PayloadName, calls: readonly CallsOf[]): string {
  const own = calls.filter((one) => one.payload === payload).toSorted((a, b) => a.inFlight - b.inFlight);
  return markdownTable(
    CALL_COLUMNS,
    own.map(({ gateway, inFlight, rounds }) => {
      const floor = own.find((one) => one.gateway === FLOOR && one.inFlight === inFlight);
      const figures =
        floor === undefined || gateway === FLOOR
          ? absoluteFigures(rounds)
          : ratioFigures(ratioTo(floor.rounds, rounds));
      return [String(inFlight), gateway].concat(figures);
    }),
  );
}

/** The costs of a gateway while it starts, changes and stands. */
function standingTable({ options, starts, changes, windows, idle }: GatewayReport): string {
  const rows = options.gateways.flatMap(({ name }) => {
    const of = <One extends { readonly gateway: string }>(all: readonly One[]): One | undefined =>
      all.find(({ gateway }) => gateway === name);
    const [start, change, window, rest] = [of(starts), of(changes), of(windows), of(idle)];
    if ([start, change, window, rest].every((one) => one === undefined)) return [];
    return [
      [
        name,
        milliseconds(start?.startMs),
        milliseconds(change?.addMs),
        milliseconds(change?.reloadMs),
        window === undefined ? NONE : `${window.processes} + ${window.serverProcesses}`,
        megabytes(window?.gatewayBytes ?? null),
        megabytes(window?.allBytes ?? null),
        number(rest?.wakeUpsPerSecond ?? null),
        rest === undefined ? NONE : `${(rest.cpuShare * 100).toFixed(3)} %`,
      ],
    ];
  });
  if (rows.length === 0) return '';
  const { windows: count, servers } = options;
  const columns: readonly Column[] = [
    { heading: 'gateway', align: 'left' },
    ...['first list', 'add', 'reload', 'processes', 'its memory', 'all memory', 'wake-ups/s', 'idle CPU'].map(
      (heading): Column => ({ heading, align: 'right' }),
    ),
  ];
  return (
    '### Starts, changes and rest\n\n' +
    'First list: from the start to a list with the tools of three servers. Add and reload: of one server, until its tools are listed. ' +
    `Processes (of the gateway + of servers) and memory: of ${count} windows with ${servers} servers; memory that processes share counts once. ` +
    `Wake-ups and CPU: one window with ${servers} servers that no client calls.\n\n${markdownTable(columns, rows)}`
  );
}

function versionsOf({ options }: GatewayReport): string {
  const known = options.gateways.filter(({ version }) => version !== undefined);
  return known.map(({ name, version }) => `${name} ${version}`).join(', ');
}

function leftOutList({ leftOut }: GatewayReport): string {
  if (leftOut.length === 0) return '';
  const lines = leftOut.map(
    ({ gateway, scenario, reason }) => `- ${gateway}, ${scenario}: ${shortReason(reason)}`,
  );
  return `Left out:\n\n${lines.join('\n')}\n`;
}

function shortReason(reason: string): string {
  // the first line has the command, the next ones have the last words of the program
  const [command = '', line = command] = reason.split('\n');
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

function milliseconds(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : `${number(value)} ms`;
}
