import type { Cell, Sample } from '../forwarding/cell.js';
import { summarize } from '../forwarding/summarize.js';
import { parseOptions } from '../options.js';
import type { PayloadName } from '../payload.js';
import type { Report } from '../report/report.js';
import type { TargetName } from '../targets/target.js';

/** One round of a load, with figures that are easy to calculate with. */
export function sampleCell(
  target: TargetName,
  {
    payload = '100b',
    inFlight = 32,
    ...figures
  }: Partial<Sample & { payload: PayloadName; inFlight: number }>,
): Cell {
  const usual = {
    calls: 1000,
    callsPerSecond: 1000,
    p50Ms: 1,
    p99Ms: 2,
    cpuMicrosPerCall: 10,
    rssBytes: 5e7,
    round: 0,
    cyclesPerTurn: 3,
  };
  return { target, payload, inFlight, samples: [{ ...usual, ...figures }] };
}

/** A report without results, and with these. */
export function sampleReport(parts: Partial<Report> = {}, cells?: readonly Cell[]): Report {
  return {
    format: 1,
    machine: {
      cpu: 'Test CPU',
      cores: 2,
      memoryBytes: 8e9,
      system: 'linux 6.1 x64',
      node: 'v20.19.0',
      loadBefore: 0.1,
      date: '2026-01-31',
    },
    isSmoke: false,
    options: parseOptions([]).forwarding,
    seconds: 200,
    stolenShare: 0.004,
    forwarding: cells === undefined ? null : { cells: summarize(cells), skipped: [], failures: [] },
    startUp: null,
    install: null,
    scale: null,
    oversized: null,
    http: null,
    urls: null,
    shared: null,
    gateways: null,
    search: null,
    ...parts,
  };
}
