import { toolTokens } from '../catalog/exposure/selected-tools.js';
import { differencesFor } from '../client/bridge/bridges.js';
import type { Era } from '../server/dialect/era.js';
import type { Registry } from '../server/registry/registry.js';
import type { Upstream } from '../server/upstream.js';
import type { ToolContext, ToolServices } from './context/tool-context.js';
import { listSchema, objectSchema, TEXT_SCHEMA, tool, type Tool } from './context/tool.js';
import { ERA_SCHEMA, SERVER_STATUS_SCHEMA, SHARED_SERVER_STATUS_SCHEMA } from './server-status-schema.js';
import { serverStatus, type ServerStatus } from './status/server-status.js';

/** JSON Schema for the member `client`, which describes the caller's protocol. */
const CLIENT_SCHEMA = objectSchema({ era: ERA_SCHEMA, protocol_version: TEXT_SCHEMA }, ['era']);

/** The name of the tool that lists the servers. */
export const LIST_SERVERS = 'list_servers';

const DEFINITION_TEXTS = {
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
 * Creates the tool that lists the servers visible to the caller. If the clients are windows, it also lists the windows
 * that share each server.
 */
export function listServersTool({ hasWindows }: Pick<ToolServices, 'hasWindows'>): Tool {
  const status = hasWindows === true ? SHARED_SERVER_STATUS_SCHEMA : SERVER_STATUS_SCHEMA;
  const outputSchema = objectSchema({ servers: listSchema(status), client: CLIENT_SCHEMA }, ['servers']);
  return tool({ ...DEFINITION_TEXTS, outputSchema, annotations: ANNOTATIONS }, {}, listServersJson);
}

function listServersJson(_: object, context: ToolContext): string {
  const { registry, catalog, clock, client } = context;
  const now = clock.now();
  const snapshot = catalog.snapshot();
  // Token counts are omitted if nothing is selected, because the caller's list then has the full definitions.
  const { era, revision, name } = client.protocol;
  const selection = catalog.selectionFor?.({ era, client: name });
  const tokensOf = selection && toolTokens(snapshot, selection);
  const statusOf = (upstream: Upstream): ServerStatus => {
    const fullStatus = serverStatus(upstream, snapshot, now, registry.supervisorOf(upstream));
    const status = tokensOf === undefined ? fullStatus : { ...fullStatus, tokens: tokensOf(upstream) };
    return context.hasWindows === true ? { ...status, ...sharingMembers(upstream, registry) } : status;
  };
  const servers = registry
    .list()
    .filter((upstream) => client.view.sees(upstream))
    .map(statusOf);
  return JSON.stringify({
    servers,
    client: { era, protocol_version: revision, ...bridgeMembers(era, servers) },
  });
}

/** Returns which windows share a server (all, those in the same folder, or the caller's), their number, and why. */
function sharingMembers({ layer, scopeReason }: Upstream, registry: Registry) {
  const { isSingleClient, windowCount } = registry.registryOf(layer);
  const why = scopeReason === undefined ? {} : { scope_reason: scopeReason };
  if (layer.isShared) return { scope: 'all', windows: windowCount, ...why };
  return isSingleClient
    ? { scope: 'window', windows: 1, ...why }
    : { scope: 'folder', windows: windowCount, ...why };
}

/** Returns the running servers that have no run in the client's era, and the resulting differences for the client. */
function bridgeMembers(client: Era, servers: readonly ServerStatus[]) {
  const others = servers.filter(
    ({ era, second_run: second }) => era !== undefined && era !== client && second?.era !== client,
  );
  if (others.length === 0) return {};
  const differences = new Set(others.flatMap(({ era = client }) => differencesFor(client, era)));
  return { bridged_servers: others.map(({ name }) => name), differences: [...differences] };
}
