import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from '@mcpmux/core';
import type { ClusterMember } from '@mcpmux/cluster';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it, vi } from 'vitest';

import { loadConfig } from '@mcpmux/config';
import { PublishedServers } from './published-servers.js';
import { runnableServerOf, readSharedEntries } from './shared-entries.js';

const SERVERS = {
  plain: { command: 'a', env: { TOKEN: '${TOKEN}' } },
  pinned: { command: 'a', mux: { cluster: { host: 'web-1', singleton: true } } },
  local: { command: 'a', mux: { cluster: false } },
  each: { command: 'a', mux: { isolation: 'session' } },
  clear: { command: 'a', env: { API_TOKEN: 'sk-abcdefghijklmnop' } },
  client: {
    url: 'https://s.example/mcp',
    mux: { clientCredentials: { issuer: 'https://as.example', clientId: 'a', privateKey: 'x' } },
  },
  off: { command: 'a', disabled: true },
};

const context = { environment: { TOKEN: 'of this node' }, home: '/home/ann', cwd: '/work' };

it('the cluster gets the entries as written, and none that holds a secret in clear or is for one node', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(file, JSON.stringify({ mcpServers: SERVERS }));
  const { records, secretNames } = readSharedEntries(file);
  expect([...records.keys()]).toEqual(['plain', 'pinned']);
  expect(records.get('pinned')).toMatchObject({ host: 'web-1', singleton: true });
  expect(JSON.stringify([...records])).toContain('${TOKEN}');
  expect([...secretNames]).toEqual([
    ['clear', ['API_TOKEN']],
    ['client', ['privateKey']],
  ]);
});

it('a server that the defaults of the config confine is confined on every node', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'config.json');
  const servers = { plain: { command: 'a' }, off: { command: 'a', sandbox: 'off' } };
  writeFileSync(file, JSON.stringify({ mux: { sandbox: { network: true } }, mcpServers: servers }));
  const { records } = readSharedEntries(file);
  const location = { file: '/none/config.json', origin: 'user', folder: '/work' } as const;
  const configOn = (name: string): object =>
    runnableServerOf(name, records.get(name)?.spec, location, context).config;
  expect(configOn('plain')).toMatchObject({ sandbox: { network: true } });
  expect(configOn('off')).not.toHaveProperty('sandbox');
});

it('a node puts its own values into an entry, and says which it does not have', () => {
  const location = { file: '/none/config.json', origin: 'user', folder: '/work' } as const;
  const spec = { entry: SERVERS.plain };
  expect(runnableServerOf('plain', spec, location, context)).toMatchObject({
    config: { command: 'a', env: { TOKEN: 'of this node' } },
  });
  const { config } = runnableServerOf('plain', spec, location, { ...context, environment: {} });
  expect(JSON.stringify(config)).toContain('TOKEN');
  expect(config).toHaveProperty('problem');
  expect(runnableServerOf('plain', 7, location, context).config).toHaveProperty('problem');
});

it('a node changes no server of the cluster at its start, and its config when it is read again', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(file, JSON.stringify({ mcpServers: SERVERS }));
  const publish = vi.fn<ClusterMember['publish']>(() => Promise.resolve(true));
  const unpublish = vi.fn<ClusterMember['unpublish']>(() => Promise.resolve());
  const logger = { enabled: () => true, log: vi.fn<Logger['log']>() };
  const servers = new PublishedServers({ publish, unpublish }, logger, file);
  const location = { file, origin: 'user', folder: '/work' } as const;
  const { servers: loaded } = loadConfig(location, context);
  const own = servers.localServers(loaded);
  expect(own.map(({ name }) => name)).toEqual(['local', 'each', 'clear', 'client', 'off']);
  servers.publish(loaded);
  await servers.problemsOfLastChange();
  expect(publish.mock.calls.map(([server, , replaces]) => [server, replaces])).toEqual([
    ['plain', false],
    ['pinned', false],
  ]);
  writeFileSync(file, JSON.stringify({ mcpServers: { plain: SERVERS.plain } }));
  servers.publish(loadConfig(location, context).servers);
  await servers.problemsOfLastChange();
  expect(publish).toHaveBeenLastCalledWith('plain', expect.anything(), true);
  expect(unpublish.mock.calls).toEqual([['pinned']]);
  expect(JSON.stringify(logger.log.mock.calls)).not.toContain('sk-abcdefghijklmnop');
});
