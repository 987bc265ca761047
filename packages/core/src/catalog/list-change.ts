import type { Layer } from '../upstream/config/layer.js';

/** One of the merged lists is another one for clients that see this layer. */
export interface ListChange {
  readonly layer: Layer;
  readonly method: string;
}

/** What is to be announced to clients that see each layer. */
export function methodsByLayer(changes: Iterable<ListChange>): ReadonlyMap<Layer, ReadonlySet<string>> {
  const byLayer = new Map<Layer, Set<string>>();
  for (const { layer, method } of changes) {
    byLayer.set(layer, (byLayer.get(layer) ?? new Set()).add(method));
  }
  return byLayer;
}
