import { describeFailure, type CellReport, type ForwardingReport } from '../forwarding/cell.js';
import { PAYLOADS, type PayloadName } from '../payload.js';
import { targetOf } from '../targets/targets.js';
import { megabytes, number, times } from './numbers.js';
import { FIGURE_COLUMNS, markdownTable, type Column } from './table.js';

const COLUMNS: readonly Column[] = [
  { heading: 'in flight', align: 'right' },
  { heading: 'target', align: 'left' },
  ...FIGURE_COLUMNS,
];

/** A table for each payload: the byte pipe in absolute numbers, the others as multiples of it. */
export function forwardingTables({ cells, skipped, failures }: ForwardingReport): string {
  const payloads = [...new Set(cells.map(({ payload }) => payload))];
  const tables = payloads.map((payload) => payloadTable(payload, cells));
  const notes = failures.map((failure) => `- ${describeFailure(failure)}`);
  const left = skipped.map(
    ({ target, payload, inFlight }) => `${target} at ${PAYLOADS[payload].label} with ${inFlight} in flight`,
  );
  if (left.length > 0) tables.push(`Left out, as too much at once: ${left.join(', ')}.\n`);
  if (notes.length > 0) tables.push(`Failed:\n\n${notes.join('\n')}\n`);
  return tables.join('\n');
}

function payloadTable(payload: PayloadName, cells: readonly CellReport[]): string {
  const own = cells.filter((cell) => cell.payload === payload).toSorted((a, b) => a.inFlight - b.inFlight);
  return `### ${PAYLOADS[payload].label}\n\n${markdownTable(COLUMNS, own.map(row))}`;
}

function row({ target, inFlight, median, ratio }: CellReport): string[] {
  const head = [String(inFlight), targetOf(target).label];
  if (ratio === null) {
    return [
      ...head,
      number(median.callsPerSecond),
      `${number(median.p50Ms)} ms`,
      `${number(median.p99Ms)} ms`,
      median.cpuMicrosPerCall === null ? '–' : `${number(median.cpuMicrosPerCall)} µs`,
      megabytes(median.rssBytes),
    ];
  }
  const { callsPerSecond, p50Ms, p99Ms, cpuMicrosPerCall, rssBytes } = ratio;
  return [...head, ...[callsPerSecond, p50Ms, p99Ms, cpuMicrosPerCall, rssBytes].map(times)];
}
