import { expect, it } from 'vitest';

import { Allowance } from './allowance.js';

function taken(allowance: Allowance, times: number, now: number): number {
  return Array.from({ length: times }, () => allowance.tryConsume(now)).filter(Boolean).length;
}

it('a burst is allowed after a silence, and a rate from then on', () => {
  const allowance = new Allowance({ burst: 10, perSecond: 4 });
  expect(taken(allowance, 50, 7000)).toBe(10);
  expect(taken(allowance, 50, 7500)).toBe(2);
  expect(taken(allowance, 50, 67_500)).toBe(10);
});
