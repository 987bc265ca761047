import type { RememberedLists } from '../server/lists/remembered-lists.js';
import type { ToolFilter } from '../server/lists/tool-filter.js';
import type { ServerConfig, UnusableConfig } from '../server/config/server-config.js';
import type { ExternalControl } from '../server/config/server-manager.js';

/** Options of {@link Mux.addServer}. */
export interface AddOptions {
  /** If true, a server that fails to start stays registered, so that clients can see the reason and reload it. */
  readonly keepsFailed?: boolean;
  /**
   * Reads the configuration of a server with status `failed` again before a reload. Must have no other effect, because
   * the policy or the user may still refuse the reload. If it throws, the server stays failed, with the error as the
   * reason. When absent, the configuration stays the same.
   */
  readonly reread?: () => RereadServer;
  /** Hides, renames or describes tools of the server. When absent, clients see all tools unchanged. */
  readonly tools?: ToolFilter;
  /**
   * The server's lists from an earlier mux, as returned by `remember`. Clients see these lists until the server has
   * started, and their requests to it wait until then.
   */
  readonly remembered?: RememberedLists;
  /** Why clients share the server, or why each has its own run. `list_servers` reports it if `hasWindows` is set. */
  readonly scopeReason?: string | undefined;
  /** Removes or reloads the server in every mux that shares it. When absent, only this mux does so. */
  readonly manager?: ExternalControl;
  /**
   * The configuration by which `pinTools` identifies the server. Needed if the server's own configuration contains
   * values that change although the program stays the same, such as a run number or a node address.
   */
  readonly pinnedAs?: ServerConfig | UnusableConfig;
}

/** The result of {@link AddOptions.reread}. */
export interface RereadServer extends Pick<AddOptions, 'tools' | 'remembered'> {
  readonly config: ServerConfig | UnusableConfig;
  /** Called once the server is registered with this configuration; not called if the policy or user rejects it. */
  readonly registered?: () => void;
}
