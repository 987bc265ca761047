import { fileURLToPath } from 'node:url';

import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, installedServer, NODE } from './testing/built-cli.js';
import { everythingAtUrl } from './testing/everything-at-url.js';
import { type ProgramAtUrl, programAtUrl } from './testing/program-at-url.js';

const DUAL = fileURLToPath(new URL('cells/cell-server.mjs', import.meta.url));
const DUAL_AT_URL = fileURLToPath(new URL('cells/cell-server-http.mjs', import.meta.url));
const OLD = installedServer('@modelcontextprotocol/server-everything');
const SERVERS = {
  'SDK 2.4.0 (serveStdio)': [DUAL],
  'SDK 2.4.0 (serveStdio, modern alone)': [DUAL, '--modern-only'],
  'SDK 1.32.2': [OLD],
} as const;
/** Servers over HTTP, and the revision that they negotiate behind a client of a revision. */
const AT_URL: Readonly<
  Record<string, readonly [start: () => Promise<ProgramAtUrl>, revision: (client: string) => string]>
> = {
  'SDK 2.4.0 (createMcpHandler)': [() => programAtUrl(DUAL_AT_URL), (client) => client],
  'SDK 2.4.0 (createMcpHandler, modern alone)': [
    () => programAtUrl(DUAL_AT_URL, '--modern-only'),
    () => '2026-07-28',
  ],
  'SDK 1.32.2': [() => everythingAtUrl('streamableHttp'), () => '2025-11-25'],
};
const CLIENTS = [
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
  [{ pin: '2026-07-28' }, '2026-07-28'],
] as const;

/** What a server negotiates with mcpmux behind a client that negotiated this revision. */
function revisionOf(server: keyof typeof SERVERS, client: string): string {
  if (server === 'SDK 1.32.2') return '2025-11-25';
  return server === 'SDK 2.4.0 (serveStdio)' ? client : '2026-07-28';
}

async function connected(mode: VersionNegotiationMode): Promise<Client> {
  const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode } });
  const args = [CLI, '--log-level', 'error'];
  await client.connect(
    new StdioClientTransport({ command: NODE, args, env: cleanEnvironment(), stderr: 'inherit' }),
  );
  return client;
}

/** What a client and a server negotiate with mcpmux, and what a tool of the server says. */
interface Use {
  readonly client: string | undefined;
  readonly server: string | undefined;
  readonly said: unknown;
}

/** Adds a server and calls a tool of it. */
async function use(client: Client, place: Readonly<Record<string, unknown>>): Promise<Use> {
  try {
    await client.callTool({ name: 'add_server', arguments: { name: 'v', ...place } });
    const { structuredContent } = await client.callTool({ name: 'list_servers', arguments: {} });
    const { servers } = structuredContent as {
      readonly servers: readonly { readonly protocol_version?: string }[];
    };
    const { content } = await client.callTool({ name: 'v__echo', arguments: { message: 'hi' } });
    return {
      client: client.getNegotiatedProtocolVersion(),
      server: servers[0]?.protocol_version,
      said: content[0],
    };
  } finally {
    await client.close();
  }
}

describe.each(CLIENTS)('a client on SDK 2.4.0 (%o) that negotiated %s', (mode, revision) => {
  const said = expect.stringContaining('hi') as unknown;
  const cases = (Object.keys(SERVERS) as (keyof typeof SERVERS)[]).map(
    (server) => [server, revisionOf(server, revision)] as const,
  );

  it.each(cases)('uses a server on %s that negotiated %s', async (server, negotiated) => {
    const seen = await use(await connected(mode), { command: NODE, args: [...SERVERS[server]] });
    expect(seen).toMatchObject({ client: revision, server: negotiated, said: { text: said } });
  });

  it.each(Object.entries(AT_URL).map(([server, [start, of]]) => [server, of(revision), start] as const))(
    'uses a server at a url on %s that negotiated %s',
    async (_, negotiated, start) => {
      await using server = await start();
      const seen = await use(await connected(mode), { url: server.url });
      expect(seen).toMatchObject({ client: revision, server: negotiated, said: { text: said } });
    },
  );
});
