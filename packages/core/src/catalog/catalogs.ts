import { Registry } from '../registry/registry.js';
import type { Layer } from '../upstream/config/layer.js';
import { Catalog, type CatalogOptions } from './catalog.js';
import type { OwnTool } from './own-tool.js';

/** The catalog of each registry. */
export class Catalogs {
  private readonly catalogs = new WeakMap<Layer, Catalog>();

  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly options: CatalogOptions,
  ) {}

  /** A server of this layer has changed, come or gone. */
  changed(layer: Layer): void {
    this.catalogs.get(layer)?.invalidate();
  }

  /**
   * The merged lists that clients in this layer see.
   *
   * @throws MuxError INVALID_CONFIG when the name budget is too small to fit any name
   */
  at(layer: Layer): Catalog {
    const known = this.catalogs.get(layer);
    if (known !== undefined) return known;
    if (!(layer instanceof Registry)) throw new Error(`${layer.id} is no registry`);
    const around = layer.parent && this.at(layer.parent);
    const catalog = new Catalog(this.ownTools, this.options, layer, around);
    this.catalogs.set(layer, catalog);
    return catalog;
  }
}
