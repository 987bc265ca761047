import { expect, it } from 'vitest';

import { clientServers } from '../client/client-file.js';
import { CLIENTS } from '../client/client-list.js';

const exported = (id: string, entry: object) =>
  CLIENTS.find((client) => client.id === id)?.dialect.fromMux({ command: 'a', ...entry });

it.each([
  [{ sandbox: true }, { sandboxEnabled: true }],
  [{ sandbox: 'off' }, { sandboxEnabled: false }],
  [{ sandboxEnabled: true }, { sandboxEnabled: true }],
  [
    {
      sandbox: {
        filesystem: { allowWrite: ['x'], allowRead: ['y'] },
        network: { allowedDomains: ['a.com'] },
      },
    },
    {
      sandboxEnabled: true,
      sandbox: { filesystem: { allowWrite: ['x'] }, network: { allowedDomains: ['a.com'] } },
    },
  ],
  [{ sandbox: { network: false } }, { sandboxEnabled: true, sandbox: {} }],
])('VS Code gets %j as its own keys', (entry, keys) => {
  expect(exported('vscode', entry)).toMatchObject({ entry: keys, notes: [] });
  expect(exported('vscode', entry)?.entry).toEqual({ type: 'stdio', command: 'a', ...keys });
});

it('VS Code has no word for the whole network, and the export says so', () => {
  expect(exported('vscode', { sandbox: { network: true } })?.notes[0]).toContain('only lists of domains');
});

it('VS Code has no sandbox that follows a client, and the export says so', () => {
  const { entry, notes } = exported('vscode', { sandboxEnabled: true, sandbox: { follow: 'client' } }) ?? {};
  expect(entry).toEqual({ type: 'stdio', command: 'a', sandboxEnabled: true, sandbox: {} });
  expect(notes).toEqual([expect.stringContaining('has no "follow"')]);
});

it.each(CLIENTS.filter(({ id }) => id !== 'vscode').map(({ id }) => id))(
  '%s has no sandbox: the export says that the server runs with all rights',
  (id) => {
    const { entry, notes } = exported(id, { sandbox: { network: false } }) ?? {};
    expect(notes?.some((note) => note.includes('no sandbox for servers'))).toBe(true);
    expect(JSON.stringify(entry)).not.toContain('sandbox');
    expect(exported(id, { sandbox: 'off' })?.notes.join()).not.toContain('no sandbox');
  },
);

it('a sandbox at the top of a file of VS Code is that of the entries that enable one and have none', async () => {
  const client = CLIENTS.find(({ id }) => id === 'vscode');
  if (client === undefined) throw new Error('no such client');
  const sandbox = { network: { allowedDomains: ['a.com'] } };
  const servers = {
    enabled: { command: 'a', sandboxEnabled: true },
    own: { command: 'a', sandboxEnabled: true, sandbox: {} },
    other: { command: 'a' },
  };
  const text = JSON.stringify({ servers, sandbox });
  const found = await clientServers({ client, scope: 'user', file: 'mcp.json', text }, { cwd: '/' });
  expect(found.map(({ entry }) => entry['sandbox'])).toEqual([sandbox, {}, undefined]);
});
