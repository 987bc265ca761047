import type { Catalog } from '../../catalog/catalog.js';
import type { Catalogs } from '../../catalog/catalogs.js';
import type { CatalogView, KnownUris, Visibility } from '../../catalog/catalog-view.js';
import { OWN_SERVER } from '../../catalog/own-tool.js';
import { FilteredCatalog } from '../../catalog/filtered-catalog.js';
import type { GuardList } from '../../guards/guard-list.js';
import type { Principal } from '../../guards/principal.js';
import type { ToolDirectory } from '../../routing/route-tool-call.js';
import type { Scope } from '../../upstream/config/scope.js';
import type { Upstream } from '../../upstream/upstream.js';

/** What one session sees of the servers: everything else does not exist for it. */
export interface CallerView {
  readonly catalog: CatalogView;
  readonly directory: ToolDirectory;
  /** Whether it sees anything of a server. */
  readonly sees: (upstream: Upstream) => boolean;
  /** What it knows a server's resource by, where that is not the URI that the server gave it. */
  aliasOf(upstream: Upstream, uri: string): string | undefined;
  /** Whether it would see what a server of that name has beside tools. */
  seesName(server: string): boolean;
}

/** What there is in a scope, before guards have taken anything out of it. */
export interface ScopeView {
  readonly scope: Scope;
  readonly catalogs: Pick<Catalogs, 'at'>;
  readonly directory: ToolDirectory;
}

/** What principals see, which changes with the guards. */
export class RestrictedViews {
  /** By what they are a part of: sessions of one principal that see the same share it. */
  private readonly catalogs = new WeakMap<Principal, WeakMap<Catalog, FilteredCatalog>>();
  private readonly sights = new WeakMap<Principal, Visibility>();

  constructor(private readonly guards: GuardList) {}

  /** What a principal sees of a whole. */
  of(principal: Principal, { scope, catalogs, directory }: ScopeView): CallerView {
    const sight = this.sightOf(principal);
    const catalog = new ViewOfScope(
      () => catalogs.at(scope),
      (whole) => this.restricted(principal, whole),
      this.guards,
    );
    const sees = ({ name, lists, scope: where }: Upstream): boolean =>
      scope.sees(where) &&
      (!sight.hides || sight.server(name) || lists.tools.some(({ key }) => sight.tool(name, key)));
    return {
      catalog,
      sees,
      aliasOf: (upstream, uri) => catalog.snapshot().resources.aliasesOf(upstream).get(uri),
      seesName: (server) => !sight.hides || sight.server(server),
      directory: {
        ...(directory.connects !== undefined && { connects: directory.connects }),
        isOwnTool: (name) => directory.isOwnTool(name) && (!sight.hides || sight.tool(OWN_SERVER, name)),
        snapshot: () => catalog.snapshot(),
        findServer: (name) => {
          const found = directory.findServer(name);
          return found !== undefined && sees(found) ? found : undefined;
        },
        serverNames: () =>
          directory.serverNames().filter((name) => {
            const upstream = directory.findServer(name);
            return upstream === undefined || sees(upstream);
          }),
      },
    };
  }

  private restricted(principal: Principal, whole: Catalog): FilteredCatalog {
    const known = this.catalogs.get(principal) ?? new WeakMap<Catalog, FilteredCatalog>();
    this.catalogs.set(principal, known);
    const restricted = known.get(whole) ?? new FilteredCatalog(whole, this.sightOf(principal));
    known.set(whole, restricted);
    return restricted;
  }

  private sightOf(principal: Principal): Visibility {
    const { guards } = this;
    const sight = this.sights.get(principal) ?? {
      get hides() {
        return guards.hides;
      },
      get version() {
        return guards.version;
      },
      server: (name: string) => guards.shows(principal, name),
      tool: (server: string, tool: string) => guards.shows(principal, server, tool),
    };
    this.sights.set(principal, sight);
    return sight;
  }
}

/** The lists of a scope change into others when it gets servers of its own. */
class ViewOfScope implements CatalogView {
  private last: { readonly whole: Catalog; readonly seen: CatalogView } | undefined;

  constructor(
    private readonly whole: () => Catalog,
    private readonly seenOf: (whole: Catalog) => CatalogView,
    private readonly guards: Pick<GuardList, 'hides'>,
  ) {}

  get learned(): KnownUris {
    return this.current().learned;
  }

  snapshot(): ReturnType<CatalogView['snapshot']> {
    return this.current().snapshot();
  }

  page(...args: Parameters<CatalogView['page']>): ReturnType<CatalogView['page']> {
    return this.current().page(...args);
  }

  /** Asked for with every call, and hardly ever another than before. */
  private current(): CatalogView {
    const whole = this.whole();
    if (!this.guards.hides) return whole;
    if (this.last?.whole !== whole) this.last = { whole, seen: this.seenOf(whole) };
    return this.last.seen;
  }
}
