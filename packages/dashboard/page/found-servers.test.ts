import { expect, it } from 'vitest';

import { foundServers, MAX_SERVERS } from './found-servers.js';
import type { ServerView } from '../src/data/overview-shown.js';

function server(name: string, more: Partial<ServerView> = {}): ServerView {
  return { name, status: 'running', tools: [], restarts: 0, dropped_lines: 0, ...more };
}

const namesOf = (servers: readonly ServerView[]): readonly string[] => servers.map(({ name }) => name);

it('servers are found by their name, state, and reason of a failure', () => {
  const servers = [
    server('Files'),
    server('notes', { status: 'crashed', last_error: { message: 'exited with code 3' } }),
  ];
  expect(namesOf(foundServers(servers, ' file'))).toEqual(['Files']);
  expect(namesOf(foundServers(servers, 'CRASHED'))).toEqual(['notes']);
  expect(namesOf(foundServers(servers, 'code 3'))).toEqual(['notes']);
  expect(foundServers(servers, '')).toBe(servers);
});

it('of very many servers the failed ones come first, and the rest is found by the filter', () => {
  const servers = Array.from({ length: 200 }, (_, index) =>
    server(`server${index}`, index === 150 ? { status: 'failed' } : {}),
  );
  const shown = namesOf(foundServers(servers, ''));
  expect(shown).toHaveLength(MAX_SERVERS);
  expect(shown.slice(0, 2)).toEqual(['server150', 'server0']);
  expect(namesOf(foundServers(servers, 'server199'))).toEqual(['server199']);
});
