import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';

import { Catalogs } from '../catalog/catalogs.js';
import type { Catalog } from '../catalog/catalog.js';
import type { ScopeView } from '../downstream/caller/caller-view.js';
import type { ToolDirectory } from '../routing/route-tool-call.js';
import { SHARED, type Scope } from '../upstream/config/scope.js';
import type { Upstream } from '../upstream/upstream.js';

/** The directory of a mux with these servers, and with own tools of these names. */
export interface TestDirectory extends ToolDirectory {
  readonly catalog: Catalog;
  readonly catalogs: Catalogs;
  /** What there is in a scope. */
  wholeOf(scope: Scope): ScopeView;
}

/** What whoever sees the shared scope alone finds. */
export function toolDirectory(
  upstreams: readonly Upstream[],
  ownTools: readonly string[] = [],
  nameBudget = DEFAULT_NAME_BUDGET,
): TestDirectory {
  const definitions = ownTools.map((name) => ({ name, json: JSON.stringify({ name }) }));
  const list = (from: Scope): readonly Upstream[] =>
    upstreams.filter(({ scope }) => from.sees(scope)).toSorted((a, b) => a.scope.depth - b.scope.depth);
  const catalogs = new Catalogs(
    definitions,
    { nameBudget, listPageBytes: 1e9 },
    { list, all: () => upstreams },
  );
  const wholeOf = (scope: Scope): ScopeView => ({
    scope,
    catalogs,
    directory: {
      isOwnTool: (name) => ownTools.includes(name),
      snapshot: () => catalogs.at(scope).snapshot(),
      findServer: (name) => list(scope).find((upstream) => upstream.name === name),
      serverNames: () => list(scope).map(({ name }) => name),
    },
  });
  return { ...wholeOf(SHARED).directory, catalog: catalogs.at(SHARED), catalogs, wholeOf };
}
