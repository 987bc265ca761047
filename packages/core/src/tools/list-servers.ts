import { listOf, objectOf, tool } from './context/tool.js';
import { SERVER_STATUS } from './server-status-schema.js';
import { serverStatus } from './status/server-status.js';

/** Lists the servers that the caller sees. */
export const listServers = tool(
  {
    name: 'list_servers',
    title: 'List the MCP servers',
    description:
      'Lists the servers with their command or url, status, tools, process id, uptime and last error.',
    outputSchema: objectOf({ servers: listOf(SERVER_STATUS) }, ['servers']),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {},
  (_, { registry, catalog, clock, client }) => {
    const snapshot = catalog.snapshot();
    const now = clock.now();
    const seen = registry.list().filter((upstream) => client.view.sees(upstream));
    return JSON.stringify({
      servers: seen.map((upstream) => serverStatus(upstream, snapshot, now, registry.supervisorOf(upstream))),
    });
  },
);
