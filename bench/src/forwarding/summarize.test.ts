import { describe, expect, it } from 'vitest';

import type { LoadFigures } from '../measure/measure-load.js';
import type { TargetName } from '../targets/target.js';
import type { Cell, Sample } from './cell.js';
import { summarize } from './summarize.js';

function figures(callsPerSecond: number, cpuMicrosPerCall: number | null = 10): LoadFigures {
  return { calls: 100, callsPerSecond, p50Ms: 1, p99Ms: 2, cpuMicrosPerCall, rssBytes: 50_000_000 };
}

function cell(target: TargetName, rounds: readonly LoadFigures[], inFlight = 32): Cell {
  const samples = rounds.map((sample, round): Sample => ({ ...sample, round, cyclesPerTurn: 3 }));
  return { target, payload: '100b', inFlight, samples };
}

describe('summarize', () => {
  it('takes the median of the rounds, figure by figure', () => {
    const [report] = summarize([cell('mcpmux', [figures(300, 10), figures(100, 30), figures(200, 20)])]);
    expect(report?.median).toEqual({
      callsPerSecond: 200,
      p50Ms: 1,
      p99Ms: 2,
      cpuMicrosPerCall: 20,
      rssBytes: 50_000_000,
    });
  });

  it('divides by the byte pipe of the same round, then takes the median: a slow moment that hits both is no matter', () => {
    const pipe = cell('byte-pipe', [figures(1000), figures(100), figures(800)]);
    const mux = cell('mcpmux', [figures(900), figures(90), figures(720)]);
    const [, report] = summarize([pipe, mux]);
    expect(report?.ratio?.callsPerSecond).toBeCloseTo(0.9);
  });

  it('takes no other round of the byte pipe for a target that is left out of some', () => {
    const pipe = cell('byte-pipe', [figures(1000), figures(1), figures(100)]);
    const hub = cell('mcp-hub', [figures(500), figures(7), figures(50)]);
    const everySecond = { ...hub, samples: hub.samples.filter(({ round }) => round % 2 === 0) };
    expect(summarize([pipe, everySecond])[1]?.ratio?.callsPerSecond).toBeCloseTo(0.5);
  });

  it('compares only loads of one kind', () => {
    const [, other] = summarize([cell('byte-pipe', [figures(1000)], 1), cell('mcpmux', [figures(500)], 32)]);
    expect(other?.ratio).toBeNull();
  });

  it('has no ratio for the byte pipe itself', () => {
    const [pipe] = summarize([cell('byte-pipe', [figures(1000)])]);
    expect(pipe?.ratio).toBeNull();
  });

  it('has no CPU figure where there is no process in the middle, and no ratio to a window that took none', () => {
    const pipe = cell('byte-pipe', [figures(1000, 0), figures(1000, 10)]);
    const [, direct, mux] = summarize([
      pipe,
      cell('direct', [figures(2000, null), figures(2000, null)]),
      cell('mcpmux', [figures(900, 50), figures(900, 12)]),
    ]);
    expect(direct?.median.cpuMicrosPerCall).toBeNull();
    expect(direct?.ratio?.cpuMicrosPerCall).toBeNull();
    expect(direct?.ratio?.callsPerSecond).toBe(2);
    expect(mux?.ratio?.cpuMicrosPerCall).toBeCloseTo(1.2);
  });
});
