import { fileURLToPath } from 'node:url';

import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, installedServer, NODE } from './testing/built-cli.js';

const DUAL = fileURLToPath(new URL('cells/cell-server.mjs', import.meta.url));
const OLD = installedServer('@modelcontextprotocol/server-everything');
const SERVERS = {
  'SDK 2.4.0 (serveStdio)': [DUAL],
  'SDK 2.4.0 (serveStdio, modern alone)': [DUAL, '--modern-only'],
  'SDK 1.32.2': [OLD],
} as const;
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

describe.each(CLIENTS)('a client on SDK 2.4.0 (%o) that negotiated %s', (mode, revision) => {
  const cases = (Object.keys(SERVERS) as (keyof typeof SERVERS)[]).map(
    (server) => [server, revisionOf(server, revision)] as const,
  );

  it.each(cases)('uses a server on %s that negotiated %s', async (server, negotiated) => {
    const client = await connected(mode);
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      const added = await client.callTool({
        name: 'add_server',
        arguments: { name: 'v', command: NODE, args: [...SERVERS[server]] },
      });
      expect(added).toMatchObject({ structuredContent: { status: 'running' } });
      const listed = await client.callTool({ name: 'list_servers', arguments: {} });
      expect(JSON.stringify(listed.structuredContent)).toContain(`"protocol_version":"${negotiated}"`);
      const echoed = await client.callTool({ name: 'v__echo', arguments: { message: 'hi' } });
      expect(JSON.stringify(echoed.content)).toContain('hi');
    } finally {
      await client.close();
    }
  });
});
