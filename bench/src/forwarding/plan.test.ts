import { describe, expect, it } from 'vitest';

import { cellsOfRound, plannedCells, skippedCells, warmUpCells, type Matrix } from './plan.js';

const MATRIX: Matrix = {
  targets: ['byte-pipe', 'mcpmux', 'sdk-v1-proxy'],
  payloads: ['100b', '1m'],
  inFlight: [1, 256],
};

describe('a plan', () => {
  it('holds every load of every target once, as planned or as left out', () => {
    const keys = [...plannedCells(MATRIX), ...skippedCells(MATRIX)];
    const names = keys.map(({ target, payload, inFlight }) => `${target} ${payload} ${inFlight}`);
    expect(new Set(names).size).toBe(12);
    expect(names).toHaveLength(12);
  });

  it('leaves out what the SDK cannot bear, and nothing of the byte pipe and mcpmux', () => {
    expect(skippedCells(MATRIX)).toEqual([{ target: 'sdk-v1-proxy', payload: '1m', inFlight: 256 }]);
  });

  it('has the targets of one load side by side', () => {
    const loads = plannedCells(MATRIX).map(({ payload, inFlight }) => `${payload} ${inFlight}`);
    const changes = loads.filter((load, index) => load !== loads[index - 1]);
    expect(changes).toEqual(['100b 1', '100b 256', '1m 1', '1m 256']);
  });
});

describe('the warm-up', () => {
  it.each([
    [[1, 32, 256], 32],
    [[1, 16], 16],
    [[256], 256],
    [[64, 256], 64],
    [[1, 256], 1],
  ])('of loads with %j in flight is the one with %d, for each target', (inFlight, expected) => {
    const keys = plannedCells({ targets: ['byte-pipe', 'mcp-hub'], payloads: ['100b'], inFlight });
    expect(warmUpCells(keys)).toEqual([
      { target: 'byte-pipe', payload: '100b', inFlight: expected },
      { target: 'mcp-hub', payload: '100b', inFlight: expected },
    ]);
  });
});

describe('a round', () => {
  const keys = plannedCells({
    targets: ['direct', 'byte-pipe', 'mcpmux', 'sdk-v1-proxy', 'mcp-hub'],
    payloads: ['100b'],
    inFlight: [1],
  });

  it('goes forth and back, and every second one without the targets that no goal is about', () => {
    const all = [0, 1, 2, 3].map((round) => cellsOfRound(keys, round).map(({ target }) => target));
    const forth = ['direct', 'byte-pipe', 'mcpmux', 'sdk-v1-proxy', 'mcp-hub'];
    const back = ['sdk-v1-proxy', 'mcpmux', 'byte-pipe'];
    expect(all).toEqual([forth, back, forth, back]);
  });
});
