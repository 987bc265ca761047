import type { Layer } from '../upstream/config/layer.js';

/** One of the merged lists is another one for clients that see this layer. */
export interface ListChange {
  readonly scope: Layer;
  readonly method: string;
}

/** What is to be announced to clients that see each layer. */
export function methodsByScope(changes: Iterable<ListChange>): ReadonlyMap<Layer, ReadonlySet<string>> {
  const byScope = new Map<Layer, Set<string>>();
  for (const { scope, method } of changes) {
    byScope.set(scope, (byScope.get(scope) ?? new Set()).add(method));
  }
  return byScope;
}
