import type { ExposedDefinition } from '../catalog/exposed-definition.js';
import type { PinReason } from '../upstream/lists/tool-pins.js';
import { routeNamed, type NamedRoute, type ServerDirectory } from './route-named.js';

/** Where a `tools/call` goes. */
export type ToolRoute =
  | { readonly kind: 'own'; readonly name: string }
  /** It is not the tool that was approved. */
  | { readonly kind: 'blocked'; readonly entry: ExposedDefinition; readonly reason: PinReason }
  | NamedRoute;

/** What a tool's name is looked up in. */
export interface ToolDirectory extends ServerDirectory {
  isOwnTool(name: string): boolean;
}

/**
 * Routes by name: mcpmux's own tools first, which no server can override, then those of the servers. Every exposed name
 * holds `__`, and no own tool's name does: so exposed names, which most calls use, can be looked up first.
 */
export function routeToolCall(name: string, directory: ToolDirectory): ToolRoute {
  const { tools } = directory.snapshot();
  const entry = tools.byName.get(name);
  if (entry?.upstream.connection !== undefined) return unlessBlocked(entry);
  if (entry === undefined && directory.isOwnTool(name)) return { kind: 'own', name };
  const route = routeNamed(name, 'tool', tools, directory);
  return route.kind === 'forward' ? unlessBlocked(route.entry) : route;
}

function unlessBlocked(entry: ExposedDefinition): ToolRoute {
  const reason = entry.upstream.offer.blocked.get(entry.definition.key);
  return reason === undefined ? { kind: 'forward', entry } : { kind: 'blocked', entry, reason };
}
