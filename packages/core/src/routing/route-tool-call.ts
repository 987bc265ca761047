import { routeNamed, type NamedRoute, type ServerDirectory } from './route-named.js';

/** Where a `tools/call` goes. */
export type ToolRoute = { readonly kind: 'own'; readonly name: string } | NamedRoute;

/** What a tool's name is looked up in. */
export interface ToolDirectory extends ServerDirectory {
  isOwnTool(name: string): boolean;
}

/** Routes by name: mcpmux's own tools first, which no server can override, then those of the servers. */
export function routeToolCall(name: string, directory: ToolDirectory): ToolRoute {
  if (directory.isOwnTool(name)) return { kind: 'own', name };
  return routeNamed(name, 'tool', directory.snapshot().tools, directory);
}
