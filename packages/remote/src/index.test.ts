import { doorDifferences } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

it.each([
  ['index.ts', 'Exports'],
  ['channel.ts', '`@mcpmux/remote/channel`'],
  ['logins.ts', '`@mcpmux/remote/logins`'],
])('has every export of %s in a table of its README', (file, section) => {
  const readme = new URL('../README.md', import.meta.url);
  const door = new URL(file, import.meta.url);
  expect(doorDifferences(readme, door, section)).toEqual({ missing: [], unknown: [] });
});
