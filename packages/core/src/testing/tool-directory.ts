import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';

import { Catalog } from '../catalog/catalog.js';
import type { ToolDirectory } from '../routing/route-tool-call.js';
import type { Upstream } from '../upstream/upstream.js';

/** The directory of a mux with these servers, and with own tools of these names. */
export function toolDirectory(
  upstreams: readonly Upstream[],
  ownTools: readonly string[] = [],
  nameBudget = DEFAULT_NAME_BUDGET,
): ToolDirectory & { readonly catalog: Catalog } {
  const definitions = ownTools.map((name) => ({ name, json: JSON.stringify({ name }) }));
  const catalog = new Catalog(definitions, { nameBudget, listPageBytes: 1e9 }, () => upstreams);
  return {
    catalog,
    isOwnTool: (name) => ownTools.includes(name),
    snapshot: () => catalog.snapshot(),
    findServer: (name) => upstreams.find((upstream) => upstream.name === name),
    serverNames: () => upstreams.map(({ name }) => name),
  };
}
