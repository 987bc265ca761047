import { expect, it } from 'vitest';

import type { LoadedConfig } from './loaded-config.js';
import { wantedServers } from './wanted-servers.js';

const CONFIG: LoadedConfig = {
  file: '/c.json',
  isUsable: true,
  isShared: false,
  servers: ['github', 'docs', 'files'].map((name) => ({
    name,
    status: 'ready',
    config: { command: name },
    isRequired: false,
  })),
  profiles: { work: ['files', 'github'], typo: ['gihub'] },
  problems: [],
};

it.each([
  ['all, when nobody says which', {}, ['github', 'docs', 'files']],
  ['those that are named, in the order of the config', { only: ['files', 'github'] }, ['github', 'files']],
  ['those of a profile', { profile: 'work' }, ['github', 'files']],
  ['those of a profile that are named, too', { profile: 'work', only: ['files', 'docs'] }, ['files']],
])('%s', (_, selection, names) => {
  const { servers, warnings } = wantedServers(CONFIG, selection);
  expect(servers.map(({ name }) => name)).toEqual(names);
  expect(warnings).toEqual([]);
});

it('a server that the config does not have is told with the one that was meant', () => {
  expect(wantedServers(CONFIG, { only: ['gihub', 'files'] })).toMatchObject({
    servers: [{ name: 'files' }],
    warnings: ['the config has no server "gihub". Did you mean "github"?'],
  });
  expect(wantedServers(CONFIG, { profile: 'typo' }).warnings).toHaveLength(1);
});

it.each(['wrok', 'constructor'])('a profile that the config does not have starts nothing: %s', (profile) => {
  const { servers, refusal } = wantedServers(CONFIG, { profile });
  expect(servers).toEqual([]);
  expect(refusal).toContain(`no profile "${profile}"`);
  expect(refusal).toContain('Its profiles are: work, typo.');
});
