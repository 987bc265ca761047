import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';

import { Catalogs } from '../catalog/catalogs.js';
import type { Catalog } from '../catalog/catalog.js';
import { layerView } from '../client/caller/caller-view.js';
import type { Registry } from '../server/registry/registry.js';
import type { ToolDirectory } from '../catalog/routing/route-named.js';
import type { Upstream } from '../server/upstream.js';
import { StandInRegistry } from './stand-in-registry.js';

/** The directory of a mux with these servers, and with own tools of these names. */
export interface TestDirectory extends ToolDirectory {
  readonly catalog: Catalog;
  readonly catalogs: Catalogs;
  /** The registry of a session. */
  open(session: number, around?: Registry): StandInRegistry;
}

/** What a session finds that sees the shared registry alone. */
export function toolDirectory(
  upstreams: readonly Upstream[],
  ownTools: readonly string[] = [],
  nameBudget = DEFAULT_NAME_BUDGET,
): TestDirectory {
  const definitions = ownTools.map((name) => ({ name, json: JSON.stringify({ name }) }));
  const catalogs = new Catalogs(definitions, { nameBudget, listPageBytes: 1e9 });
  const open: TestDirectory['open'] = (session, around) =>
    new StandInRegistry(`session ${session}`, () => upstreams, around);
  const isOwnTool = (name: string): boolean => ownTools.includes(name);
  const { catalog, directory } = layerView(open(0), catalogs, { isOwnTool });
  return { ...directory, catalog, catalogs, open };
}
