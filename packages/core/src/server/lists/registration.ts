import type { ServerName } from '@mcpmux/namespace';

import type { RememberedLists } from './remembered-lists.js';
import type { Layer } from '../config/layer.js';
import type { AnyServerConfig } from '../config/server-config.js';
import type { ExternalControl } from '../config/server-manager.js';
import type { ToolFilter } from './tool-filter.js';

/** The result of reading a configuration again. */
export interface RereadResult extends Pick<Registration, 'view' | 'remembered'> {
  readonly config: AnyServerConfig;
  /** Called when the server has been registered with the configuration. */
  readonly registered?: (() => void) | undefined;
}

/** The parameters of the registration of a server. */
export interface Registration<Server = unknown> {
  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** The layer in which the server is registered. Clients in this layer see the server. */
  readonly layer: Layer<Server>;
  /** The position of the server's entries in merged lists. */
  readonly position: number;
  /** The id of the principal whose agent has added the server; absent for servers of the host. */
  readonly addedBy?: string | undefined;
  /** The host's reason why clients share the server, or why each client has its own run. */
  readonly scopeReason?: string | undefined;
  /** Removes and reloads the server in all muxes that have it. When absent, only this mux is affected. */
  readonly manager?: ExternalControl | undefined;
  /** The configuration that identifies the server for pinned tools; `config` when absent. */
  readonly pinnedAs?: AnyServerConfig | undefined;
  /** The filter for the server's tools; all tools unchanged when absent. */
  readonly view?: ToolFilter | undefined;
  /** The lists of a run in an earlier mux, until the first run has read a list. */
  readonly remembered?: RememberedLists | undefined;
  /** Reads the configuration again, for a reload of a server with an unusable configuration. Has no other effect. */
  readonly reread?: (() => RereadResult) | undefined;
}
