import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MODES, type Era } from './testing/asking-client.js';
import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { Person } from './testing/person.js';

const SERVER = fileURLToPath(new URL('testing/sandbox-reader.mjs', import.meta.url));
const KEY = 'codex/sandbox-state-meta';
/** What Codex sends with each call. */
const STATE = {
  sandboxPolicy: { type: 'workspace-write', network_access: false },
  codexLinuxSandboxExe: null,
  sandboxCwd: '/home/ann/project',
  useLegacyLandlock: false,
};

let person: Person;
beforeEach(async () => {
  person = await Person.arrive();
  const server = (wish: string): object => ({ command: NODE, args: [SERVER, wish] });
  await person.configure({ mcpServers: { wants: server('wants'), plain: server('not') } });
});
afterEach(() => person[Symbol.asyncDispose]());

async function connected(name: string, era: Era): Promise<Client> {
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: MODES[era] } });
  const env = cleanEnvironment({ ...person.environment });
  const transport = new StdioClientTransport({
    command: NODE,
    args: [CLI],
    env,
    cwd: person.home,
    stderr: 'ignore',
  });
  await client.connect(transport);
  await client.listTools();
  return client;
}

async function metaAt(client: Client, server: string): Promise<unknown> {
  const { content } = await client.callTool({
    name: `${server}__meta`,
    arguments: {},
    _meta: { before: 1, [KEY]: STATE, after: 2 },
  });
  const [block] = content;
  return JSON.parse(block?.type === 'text' ? block.text : '');
}

describe.each<Era>(['legacy', 'modern'])('Codex in the %s era', (era) => {
  it('describes its sandbox to the servers that declare it, and to no other', async () => {
    const client = await connected('codex-mcp-client', era);
    try {
      expect(client.getServerCapabilities()).toMatchObject({ experimental: { [KEY]: {} } });
      expect(await metaAt(client, 'wants')).toMatchObject({ before: 1, [KEY]: STATE, after: 2 });
      expect(await metaAt(client, 'plain')).toMatchObject({ before: 1, [KEY]: null, after: 2 });
    } finally {
      await client.close();
    }
  });
});

it('another client sees no declaration before a server has declared it', async () => {
  const client = await connected('agent', 'legacy');
  try {
    expect(client.getServerCapabilities()).not.toHaveProperty(['experimental', KEY]);
  } finally {
    await client.close();
  }
});
