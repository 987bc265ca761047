import { CLIENTS, clientServers } from '@mcpmux/clients';
import { CLIENT_FIXTURES } from '@mcpmux/testing/client-fixtures';
import { expect, it } from 'vitest';

import type { ConfigLocation } from './find-config.js';
import { loadConfig } from './load-config.js';

const CWD = '/home/ann/app';
const LOCATION: ConfigLocation = { file: '/config.json', origin: 'user', folder: CWD };
const CONTEXT = {
  environment: { API_KEY: 'k', FIGMA_OAUTH_TOKEN: 't', FIGMA_TEAM: 'm' },
  home: '/home/ann',
  cwd: CWD,
};
/** What is no reason not to start: a server that is off, or needs an answer of VS Code. */
const NOT_STARTED: ReadonlySet<string> = new Set(['disabled']);

it.each(CLIENTS.map((client) => ({ id: client.id, client })))(
  'the file of $id holds servers that start, but for those that are off, or ask in VS Code',
  async ({ id, client }) => {
    const text = CLIENT_FIXTURES.find((fixture) => fixture.id === id)?.text ?? '';
    const servers = await clientServers({ client, scope: 'user', file: `/${id}`, text }, { cwd: CWD });
    const entries = servers.flatMap(({ name, entry }) => {
      const imported = client.dialect.toMux(entry);
      return imported.kind === 'server' ? [[name, imported.entry] as const] : [];
    });
    const written = JSON.stringify({ mcpServers: Object.fromEntries(entries) });
    const loaded = loadConfig(LOCATION, CONTEXT, () => written);
    expect(loaded.isUsable).toBe(true);
    const others = loaded.servers.filter(({ status }) => status !== 'ready' && !NOT_STARTED.has(status));
    expect(others.map(({ name }) => name)).toEqual(id === 'vscode' ? ['perplexity'] : []);
    // What only its client knows is no reason to warn.
    const known = loaded.problems.filter(({ path }) => !path.includes('perplexity'));
    expect(known).toEqual([]);
  },
);
