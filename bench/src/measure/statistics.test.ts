import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { median, quantile } from './statistics.js';

const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });

function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

describe('median', () => {
  it('is the middle value, or lies between the two middle ones', () => {
    expect(median([7])).toBe(7);
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 9, 2])).toBe(3);
    expect(median([])).toBeNaN();
    expect(median([1e308, 1.5e308])).toBe(1.25e308);
    expect(median([5e-324, 5e-324])).toBe(5e-324);
  });

  it('compares numbers, not their digits', () => {
    expect(median([10, 9, 100])).toBe(10);
  });

  it('has as many values below it as above it, in any order', () => {
    fc.assert(
      fc.property(values, (numbers) => {
        const middle = median(numbers);
        const below = numbers.filter((value) => value < middle).length;
        const above = numbers.filter((value) => value > middle).length;
        expect(below).toBeLessThanOrEqual(numbers.length / 2);
        expect(above).toBeLessThanOrEqual(numbers.length / 2);
      }),
    );
  });

  it('leaves its input as it was', () => {
    const numbers = [3, 1, 2];
    median(numbers);
    expect(numbers).toEqual([3, 1, 2]);
  });
});

describe('quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

  it.each([
    [0, 1],
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ])('the share %d of 1 to 100 ends at %d', (share, expected) => {
    expect(quantile(hundred, share)).toBe(expected);
  });

  it('of one value is that value, of none is nothing', () => {
    expect(quantile([3], 0.99)).toBe(3);
    expect(quantile(new Float64Array(), 0.5)).toBeNaN();
  });

  it('is one of the values, and at least the share of them does not exceed it', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (numbers, share) => {
        const sorted = ascending(numbers);
        const found = quantile(sorted, share);
        expect(sorted).toContain(found);
        const covered = sorted.filter((value) => value <= found).length;
        expect(covered).toBeGreaterThanOrEqual(Math.floor(share * sorted.length));
      }),
    );
  });
});
