import { CLIENT_FIXTURES } from '@mcpmux/testing/client-fixtures';
import { describe, expect, it } from 'vitest';

import { documentEditor } from '../document/editor-of.js';
import { clientServers, withEntry, type ClientFile } from './client-file.js';
import { CLIENTS } from './client-list.js';
import type { Client, ClientPlaces } from './client.js';

/** The places of a user that no test has. */
const PLACES: ClientPlaces = { home: '/home/ann', cwd: '/home/ann/app', platform: 'linux', environment: {} };
const OWN = { command: 'npx', args: ['-y', '@mcpmux/cli'] };

/** The parts of a client's file that mcpmux does not use. */
const UNUSABLE: Readonly<Record<string, readonly string[]>> = { goose: ['developer'], zed: ['postgres'] };

const cases = CLIENTS.map((client) => ({ id: client.id, client, text: fixtureOf(client.id) }));

function fixtureOf(client: string): string {
  return CLIENT_FIXTURES.find(({ id }) => id === client)?.text ?? '';
}

function fileOf(client: Client, text: string): ClientFile {
  return { client, scope: 'user', file: `/${client.id}`, text };
}

it('every client has a file', () => {
  expect(CLIENT_FIXTURES.map(({ id }) => id).toSorted()).toEqual(CLIENTS.map(({ id }) => id).toSorted());
});

describe.each(cases)('the file of $id', ({ id, client, text }) => {
  it('is taken as it is, but for what nobody else can run', async () => {
    const servers = await clientServers(fileOf(client, text), PLACES);
    const unusable = servers.filter(({ entry }) => client.dialect.toMux(entry).kind === 'unusable');
    expect(servers.length).toBeGreaterThan(0);
    expect(unusable.map(({ name }) => name)).toEqual(UNUSABLE[id] ?? []);
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
  const fixture = cases.find(({ id }) => id === 'zed');
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
