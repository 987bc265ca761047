import { SHARED, type Scope } from '../upstream/config/scope.js';
import type { Upstream } from '../upstream/upstream.js';
import { Catalog, type CatalogOptions } from './catalog.js';
import type { OwnTool } from './own-tool.js';
import { ListOrder } from './list-order.js';
import { ScopedUris } from './scoped-uris.js';

/** The servers whose lists are merged. */
export interface ScopedServers {
  /** What is seen from a scope, in the order of the lists. */
  list(from: Scope): readonly Upstream[];
  /** Those of all scopes, in the order of registration. */
  all(): readonly Upstream[];
}

/**
 * The merged lists as each scope sees them. Scopes without servers of their own share those of the scope they lie in:
 * with a thousand clients that all see the same, they are built once.
 */
export class Catalogs {
  /** Of every scope that has servers of its own, and of the one that all share. */
  private readonly catalogs = new Map<Scope, Catalog>();
  private readonly uris = new ScopedUris();
  private readonly places: ListOrder;

  /** @throws MuxError INVALID_CONFIG when the name budget is too small to fit any name */
  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly options: CatalogOptions,
    private readonly servers: ScopedServers,
  ) {
    this.places = new ListOrder(() => servers.all());
    this.catalogs.set(SHARED, this.catalogOf(SHARED));
  }

  /** Something that is in this scope has changed, come or gone. */
  changed(scope: Scope): void {
    const isPopulated = scope === SHARED || this.servers.all().some((upstream) => upstream.scope === scope);
    if (!isPopulated) this.catalogs.delete(scope);
    else if (!this.catalogs.has(scope)) this.catalogs.set(scope, this.catalogOf(scope));
    for (const [viewer, catalog] of this.catalogs) {
      if (viewer.sees(scope)) catalog.invalidate();
    }
  }

  /** The lists that those in this scope see at this moment. */
  at(scope: Scope): Catalog {
    for (const wider of scope.chain) {
      const catalog = this.catalogs.get(wider);
      if (catalog !== undefined) return catalog;
    }
    throw new Error(`scope ${scope.id} does not lie in the shared one`);
  }

  private catalogOf(scope: Scope): Catalog {
    const upstreams = (): readonly Upstream[] => this.servers.list(scope);
    return new Catalog(this.ownTools, this.options, upstreams, {
      places: this.places,
      learned: this.uris.of(scope),
    });
  }
}
