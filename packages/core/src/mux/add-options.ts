import type { RememberedLists } from '../server/lists/remembered-lists.js';
import type { ToolFilter } from '../server/lists/tool-filter.js';
import type { ServerConfig, UnusableConfig } from '../server/config/server-config.js';
import type { ExternalControl } from '../server/config/server-manager.js';

/** Options of {@link Mux.addServer}. */
export interface AddOptions {
  /** Keeps a server that fails to start registered, as crashed or failed. Clients see the reason, and can reload the server. */
  readonly keepsFailed?: boolean;
  /**
   * Reads the configuration of the server anew, for a reload while its configuration cannot be used (status `failed`).
   * Has no other effect: the policy and the user decide about the reload after it.
   * An error that it throws is the reason for which the server stays failed. The configuration stays when absent.
   */
  readonly reread?: () => RereadServer;
  /** Hides, renames or re-describes tools of the server; clients see all tools unchanged when absent. */
  readonly tools?: ToolFilter;
  /**
   * Lists of the server from an earlier mux, as returned by `remember`. Clients see these lists until the server has
   * started. Their requests to the server wait until then.
   */
  readonly remembered?: RememberedLists;
  /** Why these clients share the server, or why each has a run of its own: for `list_servers`, with `MuxOptions.hasWindows`. */
  readonly scopeReason?: string | undefined;
  /** Removes and reloads the server for all muxes that have it, on behalf of a client or the host; this mux alone when absent. */
  readonly manager?: ExternalControl;
  /**
   * The configuration by which `pinTools` recognizes the server, if the configuration of the server also has parts that
   * change without another program: the number of a run, or the address of the node that runs it.
   */
  readonly pinnedAs?: ServerConfig | UnusableConfig;
}

/** A configuration that was read anew, see {@link AddOptions.reread}. */
export interface RereadServer extends Pick<AddOptions, 'tools' | 'remembered'> {
  readonly config: ServerConfig | UnusableConfig;
  /** Called when the server is registered with this configuration. It is not if the policy or the user refuses the reload. */
  readonly registered?: () => void;
}
