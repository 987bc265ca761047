import { describe, expect, it } from 'vitest';

import { growth, type Curve } from './curve.js';

function curve(values: readonly number[]): Curve {
  return {
    name: 'servers',
    label: 'servers',
    metrics: [{ key: 'cpu', label: 'CPU', unit: 'µs' }],
    points: values.map((cpu, index) => ({ size: 10 ** index, values: { cpu } })),
  };
}

describe('growth', () => {
  it('compares the largest size with the smallest', () => {
    expect(growth(curve([10, 99, 15]), 'cpu')).toBe(1.5);
  });

  it.each([
    ['a first value of nothing', curve([0, 5]), 'cpu'],
    ['no points', curve([]), 'cpu'],
    ['a figure that was not measured', curve([1, 2]), 'rss'],
  ])('is unknown for %s', (_, of, key) => {
    expect(growth(of, key)).toBeNaN();
  });
});
