import { doorDifferences } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

it('lists every export of the door in the README, and no other name', () => {
  const [readme, door] = [new URL('../README.md', import.meta.url), new URL('index.ts', import.meta.url)];
  expect(doorDifferences(readme, door)).toEqual({ missing: [], unknown: [] });
});
