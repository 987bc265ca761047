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

/** Routes by name: mcpmux's own tools first, which no server can override, then those of the servers. */
export function routeToolCall(name: string, directory: ToolDirectory): ToolRoute {
  if (directory.isOwnTool(name)) return { kind: 'own', name };
  const route = routeNamed(name, 'tool', directory.snapshot().tools, directory);
  if (route.kind !== 'forward') return route;
  const reason = route.entry.upstream.pinned.blocked(route.entry.definition.key);
  return reason === undefined ? route : { kind: 'blocked', entry: route.entry, reason };
}
