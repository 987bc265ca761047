import { splitQualifiedName } from '@mcpmux/namespace';

import type { CatalogSnapshot } from '../catalog/catalog.js';
import type { ExposedTool } from '../catalog/exposed-tool.js';
import type { Upstream } from '../upstream/upstream.js';
import { nearNames } from './near-names.js';

/** Where a `tools/call` goes. */
export type ToolRoute =
  | { readonly kind: 'own'; readonly name: string }
  | { readonly kind: 'forward'; readonly tool: ExposedTool }
  /** The server exists and does not run: the caller is told why, as the result of the tool. */
  | { readonly kind: 'unavailable'; readonly upstream: Upstream }
  /** No such tool: a protocol error with this message. */
  | { readonly kind: 'unknown'; readonly message: string };

/** What a tool's name is looked up in. */
export interface ToolDirectory {
  isOwnTool(name: string): boolean;
  snapshot(): CatalogSnapshot;
  findServer(name: string): Upstream | undefined;
  serverNames(): readonly string[];
}

/**
 * Routes by name: mcpmux's own tools, then exposed and qualified names, then a bare name that exactly one server owns
 * (MCP Apps views, skills and instructions call tools by the names their own server gave them).
 */
export function routeToolCall(name: string, directory: ToolDirectory): ToolRoute {
  if (directory.isOwnTool(name)) return { kind: 'own', name };
  const snapshot = directory.snapshot();
  const tool = snapshot.byName.get(name);
  if (tool !== undefined) return reachable(tool);
  const parts = splitQualifiedName(name);
  const server = parts === undefined ? undefined : directory.findServer(parts.server);
  if (server !== undefined && server.state.kind !== 'running')
    return { kind: 'unavailable', upstream: server };
  const namesakes = snapshot.byLocalName.get(name) ?? [];
  const [only] = namesakes;
  if (only !== undefined && namesakes.length === 1) return reachable(only);
  if (namesakes.length > 1) {
    return { kind: 'unknown', message: `Unknown tool ${quote(name)}. ${candidates(namesakes)}` };
  }
  if (server !== undefined) return { kind: 'unknown', message: unknownOnServer(name, server, snapshot) };
  return { kind: 'unknown', message: unknownAnywhere(name, parts?.server, snapshot, directory) };
}

function reachable(tool: ExposedTool): ToolRoute {
  return tool.upstream.connection === undefined
    ? { kind: 'unavailable', upstream: tool.upstream }
    : { kind: 'forward', tool };
}

function candidates(namesakes: readonly ExposedTool[]): string {
  return `Several servers have a tool of that name; call one of: ${namesakes.map((tool) => tool.exposedName).join(', ')}.`;
}

function unknownOnServer(name: string, server: Upstream, { tools }: CatalogSnapshot): string {
  const own = tools.filter((tool) => tool.upstream === server).map((tool) => tool.exposedName);
  const near = nearNames(name, own);
  return (
    `Unknown tool ${quote(name)}: server "${server.name}" runs and has no such tool. ` +
    `${suggestion(near)}Call list_servers for its tools, or reload_server if it has changed.`
  );
}

function unknownAnywhere(
  name: string,
  serverPart: string | undefined,
  { tools }: CatalogSnapshot,
  directory: ToolDirectory,
): string {
  const near = nearNames(
    name,
    tools.map((tool) => tool.exposedName),
  );
  if (serverPart === undefined)
    return `Unknown tool ${quote(name)}. ${suggestion(near)}Call list_servers for what there is.`;
  const servers = directory.serverNames();
  const known =
    servers.length === 0 ? 'No server is registered' : `Registered servers: ${servers.join(', ')}`;
  return (
    `Unknown tool ${quote(name)}: no server named ${quote(serverPart)} is registered. ${known}. ` +
    `${suggestion(near)}Call add_server to add one.`
  );
}

function suggestion(near: readonly string[]): string {
  return near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
}

function quote(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}
