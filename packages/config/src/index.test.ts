import { doorDifferences } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

it.each([
  ['@mcpmux/config', 'index.ts'],
  ['@mcpmux/config/find', 'find.ts'],
])('the README lists every export of %s, and no other name', (door, file) => {
  const [readme, exported] = [new URL('../README.md', import.meta.url), new URL(file, import.meta.url)];
  const title = `Exports of \`${door}\``;
  expect(doorDifferences(readme, exported, title)).toEqual({ missing: [], unknown: [] });
});
