import { doorDifferences } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

it('the README lists every export, and no other name', () => {
  const readme = new URL('../README.md', import.meta.url);
  const door = new URL('index.ts', import.meta.url);
  expect(doorDifferences(readme, door)).toEqual({ missing: [], unknown: [] });
});
