import { doorDifferences } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

it('has every export in a table of its README, and nothing else there', () => {
  const readme = new URL('../README.md', import.meta.url);
  const door = new URL('index.ts', import.meta.url);
  expect(doorDifferences(readme, door)).toEqual({ missing: [], unknown: [] });
});
