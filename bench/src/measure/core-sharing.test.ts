import { describe, expect, it } from 'vitest';

import { CoreSharing, sharedShare } from './core-sharing.js';

/** A clock by which the works of {@link CoreSharing} take so long, one after the other. */
function clockOf(durations: readonly number[]): () => number {
  let now = 0;
  const times = durations.flatMap((duration) => [now, (now += duration)]);
  return () => times.shift() ?? Number.NaN;
}

describe('CoreSharing', () => {
  it('compares the least times of both works: the others were interrupted', () => {
    // A chain of 24,000 cycles in 8 units of time, and 8,000 turns in 12 and in 8 of them.
    expect(new CoreSharing(clockOf([12, 8, 15, 9, 20, 8, 13, 10])).cyclesPerTurn()).toBeCloseTo(4.5);
    expect(new CoreSharing(clockOf([12, 8, 15, 9, 8, 8, 13, 10])).cyclesPerTurn()).toBeCloseTo(3);
  });

  it('reads what a core can do', () => {
    const cycles = new CoreSharing().cyclesPerTurn();
    expect(cycles).toBeGreaterThan(1);
    expect(cycles).toBeLessThan(30);
  });
});

describe('sharedShare', () => {
  it('counts the turns that took more than 4.5 cycles', () => {
    expect(sharedShare([3.3, 4.5, 4.6, 6])).toBe(0.5);
  });

  it('is no number for nothing', () => {
    expect(sharedShare([])).toBeNaN();
  });
});
