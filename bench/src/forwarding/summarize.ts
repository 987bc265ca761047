import { median } from '../measure/statistics.js';
import type { Cell, CellReport, Figures } from './cell.js';

const FLOOR = 'byte-pipe';
const KEYS = ['callsPerSecond', 'p50Ms', 'p99Ms', 'cpuMicrosPerCall', 'rssBytes'] as const;

/** Adds medians to the cells, and ratios to the byte pipe of the same load. */
export function summarize(cells: readonly Cell[]): CellReport[] {
  return cells.map((cell) => {
    const floor = cells.find(
      ({ target, payload, inFlight }) =>
        target === FLOOR && payload === cell.payload && inFlight === cell.inFlight,
    );
    const hasRatio = floor !== undefined && cell.target !== FLOOR;
    return { ...cell, median: medians(cell.samples), ratio: hasRatio ? medians(ratios(cell, floor)) : null };
  });
}

/** A round divides by the byte pipe of that round: what disturbs the machine for a while disturbs both. */
function ratios(cell: Cell, floor: Cell): Figures[] {
  return cell.samples.flatMap((sample) => {
    const base = floor.samples.find(({ round }) => round === sample.round);
    return base === undefined ? [] : [figures((key) => quotient(sample[key], base[key]))];
  });
}

function quotient(value: number | null, base: number | null): number | null {
  // of a short window nothing may have been accounted for yet
  return value === null || base === null || base === 0 ? null : value / base;
}

function medians(all: readonly Figures[]): Figures {
  return figures((key) => {
    const values = all.map((one) => one[key]).filter((value) => value !== null);
    return values.length === 0 ? null : median(values);
  });
}

function figures(value: (key: (typeof KEYS)[number]) => number | null): Figures {
  return {
    callsPerSecond: value('callsPerSecond') ?? Number.NaN,
    p50Ms: value('p50Ms') ?? Number.NaN,
    p99Ms: value('p99Ms') ?? Number.NaN,
    cpuMicrosPerCall: value('cpuMicrosPerCall'),
    rssBytes: value('rssBytes'),
  };
}
