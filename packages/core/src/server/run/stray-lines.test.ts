import { expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';

import { StrayLines } from './stray-lines.js';

it('all stray lines count for the excerpt, and so many in a second are told', () => {
  const reported: string[] = [];
  const stray = new StrayLines(2, new ManualClock(), (line) => reported.push(line));
  for (const line of ['a', 'b', 'c', 'd']) stray.add(line);
  expect(stray.excerpt).toEqual(['a', 'b', 'c', 'd']);
  expect(reported).toEqual(['a', 'b']);
  stray.end();
  expect(reported.at(-1)).toBe('(2 more lines within a second were left out)');
});
