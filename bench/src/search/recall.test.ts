import { expect, it } from 'vitest';

import { places, recallAt, resultsFor } from './recall.js';

const TASKS = { first: ['a'], second: ['x', 'b'], none: ['z'] };
const PLACES = places(() => ['a', 'c', 'b'], TASKS);

it('the place of a task is that of the first tool that fits', () => {
  expect(PLACES).toEqual([1, 3, Number.POSITIVE_INFINITY]);
});

it('recall is the share of tasks with a fitting tool among the first results', () => {
  expect([1, 2, 3, 10].map((results) => recallAt(results, PLACES))).toEqual([1 / 3, 1 / 3, 2 / 3, 2 / 3]);
});

it('a recall needs the fewest results that reach it, and none reaches one that is too high', () => {
  expect(resultsFor(0.3, PLACES)).toBe(1);
  expect(resultsFor(0.5, PLACES)).toBe(3);
  expect(resultsFor(0.9, PLACES)).toBeNull();
});
