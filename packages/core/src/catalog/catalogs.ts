import { MuxError } from '@mcpmux/kit';
import { MIN_NAME_BUDGET } from '@mcpmux/namespace';

import type { Layer } from '../server/config/layer.js';
import type { Upstream } from '../server/upstream.js';
import { Catalog, type CatalogOptions } from './catalog.js';
import type { OwnTool } from './own-tool.js';

/** Creates and caches the catalog of each layer. */
export class Catalogs {
  private readonly catalogs = new WeakMap<Layer, Catalog>();

  /** @throws MuxError INVALID_CONFIG when the name budget is below its minimum */
  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly options: CatalogOptions,
  ) {
    const { nameBudget } = options;
    if (nameBudget >= MIN_NAME_BUDGET) return;
    const requirement = `it must be at least ${MIN_NAME_BUDGET}`;
    throw new MuxError('INVALID_CONFIG', `nameBudget is ${nameBudget}; ${requirement}.`);
  }

  /** Drops the cached lists of a layer. Must be called whenever a server of the layer is added, changed or removed. */
  invalidate(layer: Layer): void {
    this.catalogs.get(layer)?.invalidate();
  }

  catalogFor(layer: Layer<Upstream>): Catalog {
    const cached = this.catalogs.get(layer);
    if (cached !== undefined) return cached;
    const parent = layer.parent && this.catalogFor(layer.parent);
    const catalog = new Catalog(this.ownTools, this.options, layer, parent);
    this.catalogs.set(layer, catalog);
    return catalog;
  }
}
