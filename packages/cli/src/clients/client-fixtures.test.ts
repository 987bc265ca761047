import { describe, expect, it } from 'vitest';

import type { ConfigLocation } from '../config/find-config.js';
import { loadConfig, type LoadedConfig } from '../config/load-config.js';
import { clientServers, withEntry, type ClientFile } from './client-file.js';
import { CLIENTS } from './client-list.js';
import type { Client } from './client.js';
import type { JsonObject } from './json-object.js';
import { ownEntry } from './own-entry.js';
import { documentEditor } from './server-document.js';
import { CLIENT_FIXTURES, PLACES } from './testing/client-fixtures.js';

const LOCATION: ConfigLocation = { file: '/config.json', origin: 'user', folder: PLACES.cwd };
const OWN = ownEntry({ platform: 'linux', local: undefined, flags: [] });

/** What of a client's file a mcpmux has no use for. */
const UNUSABLE: Readonly<Record<string, readonly string[]>> = { goose: ['developer'], zed: ['postgres'] };
/** What is no reason not to start: a server that is off, or needs an answer of VS Code. */
const NOT_STARTED: ReadonlySet<string> = new Set(['disabled']);

const cases = CLIENT_FIXTURES.map(({ client, text }) => ({ id: client.id, client, text }));

function fileOf(client: Client, text: string): ClientFile {
  return { client, scope: 'user', file: `/${client.id}`, text };
}

function load(servers: readonly (readonly [string, JsonObject])[]): LoadedConfig {
  const text = JSON.stringify({ mcpServers: Object.fromEntries(servers) });
  const context = {
    environment: { API_KEY: 'k', FIGMA_OAUTH_TOKEN: 't', FIGMA_TEAM: 'm' },
    home: PLACES.home,
    cwd: PLACES.cwd,
  };
  return loadConfig(LOCATION, context, () => text);
}

it('every client has a file', () => {
  expect(cases.map(({ id }) => id).toSorted()).toEqual(CLIENTS.map(({ id }) => id).toSorted());
});

describe.each(cases)('the file of $id', ({ id, client, text }) => {
  it('is taken as it is, but for what nobody else can run', async () => {
    const servers = await clientServers(fileOf(client, text), PLACES);
    const unusable = servers.filter(({ entry }) => client.dialect.toMux(entry).kind === 'unusable');
    expect(servers.length).toBeGreaterThan(0);
    expect(unusable.map(({ name }) => name)).toEqual(UNUSABLE[id] ?? []);
  });

  it('holds servers that start, but for those that are off, or ask in VS Code', async () => {
    const servers = await clientServers(fileOf(client, text), PLACES);
    const entries = servers.flatMap(({ name, entry }) => {
      const imported = client.dialect.toMux(entry);
      return imported.kind === 'server' ? [[name, imported.entry] as const] : [];
    });
    const loaded = load(entries);
    expect(loaded.isUsable).toBe(true);
    const others = loaded.servers.filter(({ status }) => status !== 'ready' && !NOT_STARTED.has(status));
    expect(others.map(({ name }) => name)).toEqual(id === 'vscode' ? ['perplexity'] : []);
    // What only its client knows is no reason to warn.
    const known = loaded.problems.filter(({ path }) => !path.includes('perplexity'));
    expect(known).toEqual([]);
  });

  it('is given back by an export without loss', async () => {
    for (const { name, entry } of await clientServers(fileOf(client, text), PLACES)) {
      const imported = client.dialect.toMux(entry);
      if (imported.kind === 'unusable' || name === 'older') continue;
      const { entry: exported } = client.dialect.fromMux(imported.entry);
      expect({ name, entry: exported }).toEqual({ name, entry });
    }
  });

  it('keeps every line when mcpmux is put into it, and is what it was when it is taken out', async () => {
    const { entry } = client.dialect.fromMux(OWN);
    const path = [...client.key, 'mcpmux'];
    const after = await withEntry(fileOf(client, text), path, entry);
    const lines = new Set(after.split('\n').map(withoutComma));
    expect(text.split('\n').filter((line) => !lines.has(withoutComma(line)))).toEqual([]);
    const servers = await clientServers(fileOf(client, after), PLACES);
    expect(servers.find(({ name }) => name === 'mcpmux')?.entry).toEqual(entry);
    expect(await withEntry(fileOf(client, after), path, undefined)).toBe(text);
  });

  it('is written from nothing as a file of its own', async () => {
    const { entry } = client.dialect.fromMux(OWN);
    const path = [...client.key, 'mcpmux'];
    const text0 = await withEntry(fileOf(client, ''), path, entry);
    const editor = await documentEditor(client.format);
    expect(await clientServers(fileOf(client, text0), PLACES)).toMatchObject([{ name: 'mcpmux', entry }]);
    expect(text0.endsWith('\n')).toBe(true);
    expect(editor.parse(text0)).toBeDefined();
  });
});

it('the old form of a server of Zed is given back in the new one', async () => {
  const fixture = CLIENT_FIXTURES.find(({ client }) => client.id === 'zed');
  if (fixture === undefined) throw new TypeError('there is no file of Zed');
  const servers = await clientServers(fileOf(fixture.client, fixture.text), PLACES);
  const imported = fixture.client.dialect.toMux(servers.find(({ name }) => name === 'older')?.entry ?? {});
  if (imported.kind !== 'server') throw new TypeError('it is a server');
  const { entry } = fixture.client.dialect.fromMux(imported.entry);
  expect(entry).toEqual({ source: 'custom', command: 'uvx', args: ['mcp-server-git'] });
});

/** A line may have got a comma, since something follows now. */
function withoutComma(line: string): string {
  return line.replace(/,(?=\s*(?:\/\/.*|\/\*.*\*\/\s*)?$)/, '');
}
