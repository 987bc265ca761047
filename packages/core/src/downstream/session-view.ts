import type { Catalog } from '../catalog/catalog.js';
import type { CatalogView, Sight } from '../catalog/catalog-view.js';
import { OWN_SERVER } from '../catalog/own-tool.js';
import { RestrictedCatalog } from '../catalog/restricted-catalog.js';
import type { GuardList } from '../guards/guard-list.js';
import type { Principal } from '../guards/principal.js';
import type { ToolDirectory } from '../routing/route-tool-call.js';
import type { Upstream } from '../upstream/upstream.js';

/** What one principal sees of the servers: everything else does not exist for it. */
export interface SessionView {
  readonly catalog: CatalogView;
  readonly directory: ToolDirectory;
  /** Whether it sees anything of a server. */
  sees(upstream: Upstream): boolean;
  /** Whether it would see what a server of that name has beside tools. */
  seesName(server: string): boolean;
}

/** What a view is a part of. */
export interface WholeView {
  readonly catalog: Catalog;
  readonly directory: ToolDirectory;
  readonly guards: GuardList;
}

/** The view of a principal, which changes with the guards. */
export function viewOf(principal: Principal, { catalog: whole, directory, guards }: WholeView): SessionView {
  const sight: Sight = {
    get hides() {
      return guards.hides;
    },
    get version() {
      return guards.version;
    },
    server: (name) => guards.shows(principal, name),
    tool: (server, tool) => guards.shows(principal, server, tool),
  };
  const catalog = new RestrictedCatalog(whole, sight);
  const sees = ({ name, lists }: Upstream): boolean =>
    !sight.hides || sight.server(name) || lists.tools.some(({ key }) => sight.tool(name, key));
  return {
    catalog,
    sees,
    seesName: (server) => !sight.hides || sight.server(server),
    directory: {
      isOwnTool: (name) => directory.isOwnTool(name) && (!sight.hides || sight.tool(OWN_SERVER, name)),
      snapshot: () => catalog.snapshot(),
      findServer: (name) => [directory.findServer(name)].find((found) => found !== undefined && sees(found)),
      serverNames: () =>
        directory.serverNames().filter((name) => {
          const upstream = directory.findServer(name);
          return upstream === undefined || sees(upstream);
        }),
    },
  };
}
