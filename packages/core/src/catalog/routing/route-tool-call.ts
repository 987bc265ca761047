import type { ExposedDefinition } from '../exposed-definition.js';
import type { PinReason } from '../../server/lists/tool-pins.js';
import { routeNamed, type NamedRoute, type ServerDirectory } from './route-named.js';

/** The destination of a `tools/call`. */
export type ToolRoute =
  | { readonly kind: 'own'; readonly name: string }
  /** The tool's definition differs from the approved definition. */
  | { readonly kind: 'blocked'; readonly entry: ExposedDefinition; readonly reason: PinReason }
  | NamedRoute;

/** The tools for the lookup of a name. */
export interface ToolDirectory extends ServerDirectory {
  isOwnTool(name: string): boolean;
}

/**
 * Routes by name: mcpmux's own tools first, which no server can override, then the tools of the servers. Every exposed
 * name contains `__`, and no own tool's name does. Therefore exposed names, which most calls use, can be looked up
 * first.
 */
export function routeToolCall(name: string, directory: ToolDirectory): ToolRoute {
  const { tools } = directory.snapshot();
  const entry = tools.byName.get(name);
  if (entry === undefined && directory.isOwnTool(name)) return { kind: 'own', name };
  const isUp = entry?.upstream.connection !== undefined;
  const route: NamedRoute = isUp ? { kind: 'forward', entry } : routeNamed(name, 'tool', tools, directory);
  if (route.kind !== 'forward') return route;
  const { upstream, definition } = route.entry;
  const reason = upstream.offer.blocked.get(definition.key);
  return reason === undefined ? route : { kind: 'blocked', entry: route.entry, reason };
}
