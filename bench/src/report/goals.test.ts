import { describe, expect, it } from 'vitest';

import { sampleCell, sampleReport } from '../testing/sample-report.js';
import { goals } from './goals.js';
import type { Report } from './report.js';

/** What is said of the goal whose text begins like this. */
function verdict(report: Report, beginning: string): string | undefined {
  const goal = goals(report).find(({ what }) => what.startsWith(beginning));
  return goal && `${goal.measured} ${goal.limit} ${goal.isMet ? 'met' : 'missed'}`;
}

describe('goals', () => {
  it('are only those that there are numbers for', () => {
    expect(goals(sampleReport())).toEqual([]);
    expect(goals(sampleReport({}, [sampleCell('mcpmux', {})]))).toEqual([]);
  });

  it.each([
    [15, '1.50 × ≤ 1.5 × met'],
    [15.1, '1.51 × ≤ 1.5 × missed'],
  ])('%d µs against 10 µs of the byte pipe: %s', (cpuMicrosPerCall, expected) => {
    const cells = [sampleCell('byte-pipe', {}), sampleCell('mcpmux', { cpuMicrosPerCall })];
    expect(verdict(sampleReport({}, cells), 'CPU per call, 100 B')).toBe(expected);
  });

  it.each([
    [100, '5.00 × ≥ 5 × met'],
    [98, '4.90 × ≥ 5 × missed'],
  ])('an SDK proxy that needs %d µs against 20 µs: %s', (sdk, expected) => {
    const cells = [
      sampleCell('byte-pipe', {}),
      sampleCell('mcpmux', { cpuMicrosPerCall: 20 }),
      sampleCell('sdk-v1-proxy', { cpuMicrosPerCall: sdk }),
    ];
    expect(verdict(sampleReport({}, cells), 'CPU per call of the SDK v1 proxy, 100 B')).toBe(expected);
  });

  it('of pace are those of the slowest payload, and name it', () => {
    const cells = [
      sampleCell('byte-pipe', { inFlight: 1 }),
      sampleCell('mcpmux', { inFlight: 1, p50Ms: 1.1, p99Ms: 2.8 }),
      sampleCell('byte-pipe', { payload: '1m', inFlight: 1 }),
      sampleCell('mcpmux', { payload: '1m', inFlight: 1, p50Ms: 1.4, p99Ms: 2.6 }),
    ];
    expect(verdict(sampleReport({}, cells), 'p50 with 1 in flight, slowest payload (1 MB)')).toBe(
      '1.40 × ≤ 1.3 × missed',
    );
    expect(verdict(sampleReport({}, cells), 'p99 with 1 in flight, slowest payload (100 B)')).toBe(
      '1.40 × ≤ 1.5 × met',
    );
  });

  it('of pace are others for a structured result', () => {
    const cells = [
      sampleCell('byte-pipe', { inFlight: 1 }),
      sampleCell('mcpmux', { inFlight: 1, p50Ms: 1.1 }),
      sampleCell('byte-pipe', { payload: 'structured', inFlight: 1 }),
      sampleCell('mcpmux', { payload: 'structured', inFlight: 1, p50Ms: 1.5 }),
    ];
    const report = sampleReport({}, cells);
    expect(verdict(report, 'p50 with 1 in flight, slowest payload (100 B)')).toBe('1.10 × ≤ 1.3 × met');
    expect(verdict(report, 'p50 with 1 in flight, structured 100 KB')).toBe('1.50 × ≤ 1.6 × met');
  });

  it.each([
    [22, '2.20 × ≤ 2.2 × met'],
    [22.1, '2.21 × ≤ 2.2 × missed'],
  ])('%d µs for a structured result against 10 µs of the byte pipe: %s', (cpuMicrosPerCall, expected) => {
    const cells = [
      sampleCell('byte-pipe', { payload: 'structured' }),
      sampleCell('mcpmux', { payload: 'structured', cpuMicrosPerCall }),
    ];
    expect(verdict(sampleReport({}, cells), 'CPU per call, structured 100 KB')).toBe(expected);
  });

  it('of pace are missed when one payload has no number', () => {
    const cells = [
      sampleCell('byte-pipe', { inFlight: 1 }),
      sampleCell('mcpmux', { inFlight: 1, p50Ms: Number.NaN }),
      sampleCell('byte-pipe', { payload: '1m', inFlight: 1 }),
      sampleCell('mcpmux', { payload: '1m', inFlight: 1, p50Ms: 1.1 }),
    ];
    for (const order of [cells, cells.toReversed()]) {
      expect(verdict(sampleReport({}, order), 'p50 with 1 in flight, slowest payload (100 B)')).toBe(
        '– ≤ 1.3 × missed',
      );
    }
  });

  it('of the start grow with that of Node.js', () => {
    const times = (median: number) => ({ samples: [median], median, p90: median });
    const report = sampleReport({ startUp: { node: times(40), mcpmux: times(100) } });
    expect(verdict(report, 'spawn to')).toBe('100 ms ≤ 100 ms met');
  });

  it('of memory are those above a bare Node.js, and of growth', () => {
    const point = (size: number, mcpmux: number) => ({ size, values: { bare: 40, pipe: 45, mcpmux } });
    const calls = {
      name: 'calls',
      label: '',
      metrics: [],
      points: [point(10_000, 58), point(100_000, 61)],
    } as const;
    const report = sampleReport({ scale: [calls] });
    expect(verdict(report, 'RSS after 100,000 calls')).toBe('21 MB ≤ 20 MB missed');
    expect(verdict(report, 'RSS from 10,000')).toBe('3 MB ≤ 5 MB met');
  });
});
