import type { ServerName } from '@mcpmux/namespace';

import type { RememberedLists } from './remembered-lists.js';
import type { Layer } from '../config/layer.js';
import type { AnyServerConfig } from '../config/server-config.js';
import type { ExternalControl } from '../config/server-manager.js';
import type { ToolFilter } from './tool-filter.js';

/** A configuration that was read anew. */
export interface Reread extends Pick<Registration, 'view' | 'remembered'> {
  readonly config: AnyServerConfig;
  /** Called when the server is registered with it. */
  readonly registered?: (() => void) | undefined;
}

/** The parameters of the registration of a server. */
export interface Registration<Server = unknown> {
  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** Where it is registered: clients in this layer see it. */
  readonly layer: Layer<Server>;
  /** Where its entries stand among those of other servers. */
  readonly position: number;
  /** The id of the principal whose agent has added it; absent for servers of the host. */
  readonly addedBy?: string | undefined;
  /** Why its clients share it, or why each has a run of its own, if the host says so. */
  readonly scopeReason?: string | undefined;
  /** Removes and reloads it for all muxes that have it; this mux alone when absent. */
  readonly manager?: ExternalControl | undefined;
  /** The configuration by which its pinned tools are recognized; `config` when absent. */
  readonly pinnedAs?: AnyServerConfig | undefined;
  /** The filter of its tools for clients; all tools unchanged when absent. */
  readonly view?: ToolFilter | undefined;
  /** The lists of a run of an earlier mux, valid until the first run has listed anything. */
  readonly remembered?: RememberedLists | undefined;
  /** Reads the configuration anew, for the reload of a server whose configuration cannot be used. Has no other effect. */
  readonly reread?: (() => Reread) | undefined;
  /** Resolves when the runs of a former server of the same name have ended: no run begins before. */
  readonly predecessorGone?: Promise<unknown> | undefined;
}
