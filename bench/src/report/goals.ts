import type { CellReport, Figures } from '../forwarding/cell.js';
import { PAYLOADS, type PayloadName } from '../payload.js';
import type { TargetName } from '../targets/target.js';
import { atLeast, atMost, size, type Goal } from './goal.js';
import { number } from './numbers.js';
import { httpGoals, urlGoals } from './relay-goals.js';
import type { Report } from './report.js';
import { sharedGoals } from './shared-table.js';

type Ratio = (figures: Figures) => number | null;

/** A figure of one payload. */
interface OfPayload {
  readonly payload: PayloadName;
  readonly value: number;
}

const MEGABYTE = 1_000_000;

/** The goals that a report has numbers for. */
export function goals(report: Report): Goal[] {
  const cells = report.forwarding?.cells ?? [];
  return [
    ...cpuGoals(cells),
    ...paceGoals(cells),
    ...startUpGoals(report),
    ...memoryGoals(report),
    ...oversizedGoals(report),
    ...httpGoals(report),
    ...urlGoals(report),
    ...sharedGoals(report),
  ];
}

function cpuGoals(cells: readonly CellReport[]): Goal[] {
  const cpu = (target: TargetName, payload: PayloadName): number | null =>
    find(cells, target, payload, 32)?.ratio?.cpuMicrosPerCall ?? null;
  const less = (payload: PayloadName): number | null => {
    const mux = cpu('mcpmux', payload);
    const sdk = cpu('sdk-v1-proxy', payload);
    return mux === null || sdk === null ? null : sdk / mux;
  };
  return [
    ...atMost('CPU per call, 100 B, to the byte pipe', 1.5, cpu('mcpmux', '100b')),
    ...atMost('CPU per call, 1 MB, to the byte pipe', 2, cpu('mcpmux', '1m')),
    ...atMost('CPU per call, structured 100 KB, to the byte pipe', 2.2, cpu('mcpmux', 'structured')),
    ...atLeast('CPU per call of the SDK v1 proxy, 100 B, to mcpmux', 5, less('100b')),
    ...atLeast('CPU per call of the SDK v1 proxy, 1 MB, to mcpmux', 8, less('1m')),
  ];
}

/** The slowest of the payloads counts, and is named; for p50 a structured result apart. */
function paceGoals(cells: readonly CellReport[]): Goal[] {
  const calls = extreme(cells, 32, ({ callsPerSecond }) => callsPerSecond, Math.min);
  // To check a dense table takes longer than to copy it: it has a limit of its own.
  const [dense, others] = [true, false].map((isDense) =>
    extreme(
      cells.filter(({ payload }) => (payload === 'structured') === isDense),
      1,
      ({ p50Ms }) => p50Ms,
      Math.max,
    ),
  );
  const p99 = extreme(cells, 1, ({ p99Ms }) => p99Ms, Math.max);
  const what = (figure: string, { payload }: OfPayload): string =>
    `${figure} in flight, slowest payload (${PAYLOADS[payload].label}), to the byte pipe`;
  return [
    ...(calls === undefined ? [] : atLeast(what('calls/s with 32', calls), 0.8, calls.value)),
    ...(others === undefined ? [] : atMost(what('p50 with 1', others), 1.3, others.value)),
    ...(dense === undefined
      ? []
      : atMost('p50 with 1 in flight, structured 100 KB, to the byte pipe', 1.6, dense.value)),
    ...(p99 === undefined ? [] : atMost(what('p99 with 1', p99), 1.5, p99.value)),
  ];
}

/** The ratio of mcpmux that `choose` takes from the ratios for all payloads. It takes NaN if there is one, which meets no goal. */
function extreme(
  cells: readonly CellReport[],
  inFlight: number,
  key: Ratio,
  choose: (one: number, other: number) => number,
): OfPayload | undefined {
  return cells
    .filter((cell) => cell.target === 'mcpmux' && cell.inFlight === inFlight)
    .flatMap(({ payload, ratio }) => (ratio === null ? [] : [{ payload, value: key(ratio) ?? Number.NaN }]))
    .reduce<OfPayload | undefined>((found, one) => {
      if (found === undefined) return one;
      return Object.is(choose(found.value, one.value), found.value) ? found : one;
    }, undefined);
}

function startUpGoals({ startUp, install }: Report): Goal[] {
  const found: Goal[] = [];
  if (startUp !== null) {
    const limit = 1.5 * startUp.node.median + 40;
    const measured = startUp.mcpmux.median;
    found.push({
      what: 'spawn to `initialize` answered, to 1.5 × `node -e 0` + 40 ms',
      limit: `≤ ${number(limit)} ms`,
      measured: `${number(measured)} ms`,
      isMet: measured <= limit,
    });
  }
  if (install !== null) {
    const { tarballBytes, installedBytes, packages } = install;
    found.push(size('tarball of the command', 2 * MEGABYTE, tarballBytes));
    found.push(size('installed command', 9 * MEGABYTE, installedBytes), {
      what: 'packages of the installed command',
      limit: '≤ 10',
      measured: String(packages),
      isMet: packages <= 10,
    });
  }
  return found;
}

function memoryGoals({ scale }: Report): Goal[] {
  const points = scale?.find(({ name }) => name === 'calls')?.points ?? [];
  const values = (calls: number): Readonly<Record<string, number>> | undefined =>
    points.find((point) => point.size === calls)?.values;
  const [early, late] = [values(10_000), values(100_000)];
  if (early === undefined || late === undefined) return [];
  const at = (key: string, of: Readonly<Record<string, number>>): number =>
    (of[key] ?? Number.NaN) * MEGABYTE;
  return [
    size(
      'RSS after 100,000 calls, above a bare Node.js',
      20 * MEGABYTE,
      at('mcpmux', late) - at('bare', late),
    ),
    size('RSS from 10,000 to 100,000 calls', 5 * MEGABYTE, at('mcpmux', late) - at('mcpmux', early)),
  ];
}

function oversizedGoals({ oversized }: Report): Goal[] {
  if (oversized === null) return [];
  const { slowestMeanwhileMs, memoryBytes } = oversized;
  return [
    {
      what: 'calls of others wait, while a message of 64 MB is refused',
      limit: '< 100 ms',
      measured: `${number(slowestMeanwhileMs)} ms`,
      isMet: slowestMeanwhileMs < 100,
    },
    size('memory for a message of 64 MB, with a limit of 10 MB', 20 * MEGABYTE, memoryBytes),
  ];
}

function find(
  cells: readonly CellReport[],
  target: TargetName,
  payload: PayloadName,
  inFlight: number,
): CellReport | undefined {
  return cells.find(
    (cell) => cell.target === target && cell.payload === payload && cell.inFlight === inFlight,
  );
}
