import { differencesFor } from '../dialect/bridge/differences.js';
import type { Era } from '../dialect/era.js';
import { listOf, objectOf, TEXT, tool } from './context/tool.js';
import { ERA, SERVER_STATUS } from './server-status-schema.js';
import { serverStatus, type ServerStatus } from './status/server-status.js';

/** JSON Schema of the protocol that the caller itself speaks: mcpmux translates for servers of another era. */
const CLIENT = objectOf({ era: ERA, protocol_version: TEXT }, ['era']);

/** Lists the servers that the caller sees. */
export const listServers = tool(
  {
    name: 'list_servers',
    title: 'List the MCP servers',
    description:
      'Lists the servers with their command or url, status, tools, process id, uptime and last error.',
    outputSchema: objectOf({ servers: listOf(SERVER_STATUS), client: CLIENT }, ['servers']),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {},
  (_, { registry, catalog, clock, client }) => {
    const snapshot = catalog.snapshot();
    const now = clock.now();
    const seen = registry.list().filter((upstream) => client.view.sees(upstream));
    const { era, revision } = client.speaks;
    const servers = seen.map((upstream) =>
      serverStatus(upstream, snapshot, now, registry.supervisorOf(upstream)),
    );
    return JSON.stringify({
      servers,
      client: { era, protocol_version: revision, ...bridged(era, servers) },
    });
  },
);

/** The running servers of another era than the client's, and what the client is to know of them. */
function bridged(client: Era, servers: readonly ServerStatus[]) {
  const others = servers.filter(({ era }) => era !== undefined && era !== client);
  if (others.length === 0) return {};
  const differences = new Set(others.flatMap(({ era = client }) => differencesFor(client, era)));
  return { bridged_servers: others.map(({ name }) => name), differences: [...differences] };
}
