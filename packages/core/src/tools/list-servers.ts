import { toolTokens } from '../catalog/exposure/selected-tools.js';
import { differencesFor } from '../client/bridge/bridges.js';
import type { Era } from '../server/dialect/era.js';
import type { Registry } from '../server/registry/registry.js';
import type { Upstream } from '../server/upstream.js';
import type { ToolContext, ToolServices } from './context/tool-context.js';
import { listOf, objectOf, TEXT, tool, type Tool } from './context/tool.js';
import { ERA, SERVER_STATUS, SHARED_SERVER_STATUS } from './server-status-schema.js';
import { serverStatus, type ServerStatus } from './status/server-status.js';

/** JSON Schema of the member `client`: the protocol of the caller. */
const CLIENT = objectOf({ era: ERA, protocol_version: TEXT }, ['era']);

export const LIST_SERVERS = 'list_servers';

const TEXTS = {
  name: LIST_SERVERS,
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

/**
 * Returns the tool that lists the servers visible to the caller. For windows, the list states which windows share each
 * server.
 */
export function listServers({ hasWindows }: Pick<ToolServices, 'hasWindows'>): Tool {
  const status = hasWindows === true ? SHARED_SERVER_STATUS : SERVER_STATUS;
  const outputSchema = objectOf({ servers: listOf(status), client: CLIENT }, ['servers']);
  return tool({ ...TEXTS, outputSchema, annotations: ANNOTATIONS }, {}, list);
}

function list(_: object, context: ToolContext): string {
  const { registry, catalog, clock, client } = context;
  const now = clock.now();
  const snapshot = catalog.snapshot();
  // Without a selection, the caller's list has the full definitions, so token counts are omitted.
  const { era, revision, name } = client.protocol;
  const selection = catalog.selection?.({ era, client: name });
  const tokensOf = selection && toolTokens(snapshot, selection);
  const shown = (upstream: Upstream): ServerStatus => {
    const full = serverStatus(upstream, snapshot, now, registry.supervisorOf(upstream));
    const status = tokensOf === undefined ? full : { ...full, tokens: tokensOf(upstream) };
    return context.hasWindows === true ? { ...status, ...sharedWith(upstream, registry) } : status;
  };
  const servers = registry
    .list()
    .filter((upstream) => client.view.sees(upstream))
    .map(shown);
  return JSON.stringify({
    servers,
    client: { era, protocol_version: revision, ...bridgedServers(era, servers) },
  });
}

/**
 * Returns which windows share a server (all, those in the same folder, or only the caller's), their number, and the
 * reason.
 */
function sharedWith({ layer, scopeReason }: Upstream, own: Registry) {
  const { isSingleClient, windows } = own.registryOf(layer);
  const why = scopeReason === undefined ? {} : { scope_reason: scopeReason };
  if (layer.isShared) return { scope: 'all', windows, ...why };
  return isSingleClient ? { scope: 'window', windows: 1, ...why } : { scope: 'folder', windows, ...why };
}

/** Returns the running servers without a run in the client's era, and the resulting differences for the client. */
function bridgedServers(client: Era, servers: readonly ServerStatus[]) {
  const others = servers.filter(
    ({ era, second_run: second }) => era !== undefined && era !== client && second?.era !== client,
  );
  if (others.length === 0) return {};
  const differences = new Set(others.flatMap(({ era = client }) => differencesFor(client, era)));
  return { bridged_servers: others.map(({ name }) => name), differences: [...differences] };
}
