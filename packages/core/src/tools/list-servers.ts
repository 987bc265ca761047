import type { Registry } from '../registry/registry.js';
import type { Upstream } from '../upstream/upstream.js';
import type { ToolContext, ToolServices } from './context/tool-context.js';
import { listOf, objectOf, TEXT, tool, type Tool } from './context/tool.js';
import { ERA, SERVER_STATUS, SHARED_SERVER_STATUS } from './server-status-schema.js';
import { serverStatus } from './status/server-status.js';

/** JSON Schema of the protocol that the caller itself speaks: mcpmux translates for servers of another era. */
const CLIENT = objectOf({ era: ERA, protocol_version: TEXT }, ['era']);

const TEXTS = {
  name: 'list_servers',
  title: 'List the MCP servers',
  description:
    'Lists the servers with their command or url, status, tools, process id, uptime and last error.',
};
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Lists the servers that the caller sees, and where the clients are windows, which of these share each server. */
export function listServers({ hasWindows }: Pick<ToolServices, 'hasWindows'>): Tool {
  const status = hasWindows === true ? SHARED_SERVER_STATUS : SERVER_STATUS;
  const outputSchema = objectOf({ servers: listOf(status), client: CLIENT }, ['servers']);
  return tool({ ...TEXTS, outputSchema, annotations: ANNOTATIONS }, {}, list);
}

function list(_: object, context: ToolContext): string {
  const { registry, catalog, clock, client } = context;
  const now = clock.now();
  const snapshot = catalog.snapshot();
  const shown = (upstream: Upstream): object => {
    const status = serverStatus(upstream, snapshot, now, registry.supervisorOf(upstream));
    return context.hasWindows === true ? { ...status, ...sharing(upstream, registry) } : status;
  };
  const seen = registry.list().filter((upstream) => client.view.sees(upstream));
  const { era, revision } = client.speaks;
  return JSON.stringify({ servers: seen.map(shown), client: { era, protocol_version: revision } });
}

/** Which windows use a server: all of them, those in the same folder, or the one that asks. */
function sharing({ layer }: Upstream, own: Registry): { readonly scope: string; readonly windows: number } {
  const { windows } = own.around(layer);
  if (layer.isShared) return { scope: 'all', windows };
  return { scope: layer === own ? 'window' : 'folder', windows };
}
