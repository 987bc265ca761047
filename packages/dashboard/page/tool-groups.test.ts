import { expect, it } from 'vitest';

import { grouped, openGroups, serverOf } from './tool-groups.js';

const SERVERS = [
  { name: 'a', tools: ['a__x', 'renamed'] },
  { name: 'a__b', tools: [] },
];

it.each([
  ['a__x', 'a'],
  ['renamed', 'a'],
  ['a__b__prompt', 'a__b'],
  ['a__prompt', 'a'],
  ['list_servers', 'mcpmux'],
])('%s is of the server %s', (name, server) => {
  expect(serverOf(SERVERS, 'mcpmux')(name)).toBe(server);
});

it('entries are grouped by server in the order of the list', () => {
  const entries = ['a__x', 'own', 'renamed'].map((name) => ({ name }));
  const groups = grouped(entries, ({ name }) => String(name), serverOf(SERVERS, 'mcpmux'));
  expect(groups.map(({ server, entries: all }) => [server, all.map(({ name }) => name)])).toEqual([
    ['a', ['a__x', 'renamed']],
    ['mcpmux', ['own']],
  ]);
});

it.each([
  [[2, 2, 2], 5, ['0', '1']],
  [[9, 1], 5, ['0']],
  [[1, 1], 5, ['0', '1']],
  [[], 5, []],
])('of groups with %j entries, with %i shown, %j are open', (sizes, most, open) => {
  const groups = sizes.map((length, server) => ({
    server: String(server),
    entries: Array.from({ length }, () => ({})),
  }));
  expect([...openGroups(groups, most)]).toEqual(open);
});
