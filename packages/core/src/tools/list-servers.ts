import { listOf, objectOf, TEXT, tool } from './context/tool.js';
import { ERA, SERVER_STATUS } from './server-status-schema.js';
import { serverStatus } from './status/server-status.js';

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
    return JSON.stringify({
      servers: seen.map((upstream) => serverStatus(upstream, snapshot, now, registry.supervisorOf(upstream))),
      client: { era, protocol_version: revision },
    });
  },
);
