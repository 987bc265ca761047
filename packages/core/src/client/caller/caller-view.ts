import type { Catalog } from '../../catalog/catalog.js';
import type { Catalogs } from '../../catalog/catalogs.js';
import type { CatalogView, ListExposure, Visibility } from '../../catalog/catalog-view.js';
import { OWN_SERVER } from '../../catalog/own-tool.js';
import { FilteredCatalog, type FilteredSnapshots } from '../../catalog/filtered-catalog.js';
import { ServerCatalog } from '../../catalog/server-catalog.js';
import type { GuardList } from '../../guards/guard-list.js';
import type { Principal } from '../../guards/principal.js';
import type { Registry } from '../../server/registry/registry.js';
import type { ToolDirectory } from '../../catalog/routing/route-named.js';
import type { Layer } from '../../server/config/layer.js';
import type { Upstream } from '../../server/upstream.js';

/** The tool directory and the catalog in which mcpmux looks up the names in a request. */
export interface NameSources {
  readonly directory: ToolDirectory;
  readonly catalog: CatalogView;
}

/** The servers and names that are visible to one session, which cannot find any others. */
export interface CallerView extends NameSources {
  /** True if at least one of the server's entries is visible. */
  readonly sees: (upstream: Upstream) => boolean;
  /** Returns the alias by which the caller knows a server's resource, or undefined if it knows the server's own URI. */
  aliasOf(upstream: Upstream, uri: string): string | undefined;
  /** True if the caller may see the prompts and resources of a server with this name. */
  seesName(server: string): boolean;
  /** The server to which the session is limited, if any. Names then have no prefix, and mcpmux adds no entries. */
  readonly server?: string;
}

/** The catalog and the servers of a layer, including entries that guards hide. */
export interface LayerView extends NameSources {
  readonly layer: Layer;
  readonly catalog: Catalog;
}

/** The part of a tool directory that recognizes mcpmux's own tools. */
export type OwnToolNames = Pick<ToolDirectory, 'isOwnTool' | 'connects'>;

/** Returns the catalog and the servers of this registry's layer. */
export function layerView(registry: Registry, catalogs: Catalogs, own: OwnToolNames): LayerView {
  const catalog = catalogs.catalogFor(registry);
  const directory = {
    ...own,
    snapshot: () => catalog.snapshot(),
    findServer: (name: string) => registry.find(name),
    serverNames: () => registry.list().map(({ name }) => name),
    isPerSession: (name: string) =>
      registry.find(name) === undefined && registry.resolve(name)?.name === name,
  };
  return { layer: registry, catalog, directory };
}

/** Returns the view of a session that is limited to one server. */
export function serverView(
  { layer, catalog: layerCatalog, directory }: LayerView,
  server: string,
): CallerView {
  const catalog = new ServerCatalog(layerCatalog, server);
  return {
    server,
    catalog,
    sees: (upstream) => upstream.name === server && layer.sees(upstream.layer),
    aliasOf: (upstream, uri) => catalog.snapshot().resources.aliasesOf(upstream).get(uri),
    seesName: (name) => name === server,
    directory: {
      snapshot: () => catalog.snapshot(),
      isOwnTool: () => false,
      findServer: (name) => (name === server ? directory.findServer(name) : undefined),
      serverNames: () => directory.serverNames().filter((name) => name === server),
    },
  };
}

interface PrincipalFilter {
  readonly visibility: Visibility;
  readonly snapshots: FilteredSnapshots;
}

/** Creates each principal's view, without the entries that guards hide from the principal. */
export class RestrictedViews {
  private readonly filters = new WeakMap<Principal, PrincipalFilter>();

  constructor(private readonly guards: GuardList) {}

  /**
   * Returns the part of a layer's view that is visible to a principal.
   *
   * @param exposure selects the tools to list; if absent, all tools are listed
   */
  viewFor(
    principal: Principal,
    { layer, catalog: layerCatalog, directory }: LayerView,
    exposure?: ListExposure,
  ): CallerView {
    const { guards } = this;
    const { visibility, snapshots } = this.filterFor(principal);
    const catalog = new FilteredCatalog(layerCatalog, visibility, snapshots, exposure);
    const sees = ({ name, lists, layer: where }: Upstream): boolean =>
      layer.sees(where) &&
      (!guards.hidesEntries ||
        visibility.server(name) ||
        lists.tools.some(({ key }) => visibility.tool(name, key)));
    return {
      catalog,
      sees,
      aliasOf: (upstream, uri) => catalog.snapshot().resources.aliasesOf(upstream).get(uri),
      seesName: (server) => !guards.hidesEntries || visibility.server(server),
      directory: {
        ...(directory.connects !== undefined && { connects: directory.connects }),
        isPerSession: (name) =>
          directory.isPerSession?.(name) === true && (!guards.hidesEntries || visibility.server(name)),
        isOwnTool: (name) =>
          directory.isOwnTool(name) && (!guards.hidesEntries || visibility.tool(OWN_SERVER, name)),
        snapshot: catalog.snapshot.bind(catalog),
        findServer: (name) => {
          const foundServer = directory.findServer(name);
          return foundServer !== undefined && sees(foundServer) ? foundServer : undefined;
        },
        serverNames: () =>
          directory.serverNames().filter((name) => {
            const upstream = directory.findServer(name);
            return upstream === undefined || sees(upstream);
          }),
      },
    };
  }

  private filterFor(principal: Principal): PrincipalFilter {
    const { guards } = this;
    const visibility = {
      filters: guards,
      server: (name: string) => guards.shows(principal, name),
      tool: (server: string, tool: string) => guards.shows(principal, server, tool),
    };
    const filter = this.filters.get(principal) ?? { visibility, snapshots: new WeakMap() };
    this.filters.set(principal, filter);
    return filter;
  }
}
