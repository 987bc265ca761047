import type { ServerName } from '@mcpmux/namespace';

import type { RememberedLists } from './remembered-lists.js';
import type { Layer } from '../config/layer.js';
import type { AnyServerConfig } from '../config/server-config.js';
import type { ExternalControl } from '../config/server-manager.js';
import type { ToolFilter } from './tool-filter.js';

/** The result of reading a configuration again. */
export interface RereadResult extends Pick<Registration, 'view' | 'remembered'> {
  readonly config: AnyServerConfig;
  /** Called when the server has been registered with this configuration. */
  readonly registered?: (() => void) | undefined;
}

/** The parameters with which a server is registered. */
export interface Registration<Server = unknown> {
  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** The layer in which the server is registered. Clients in this layer see the server. */
  readonly layer: Layer<Server>;
  /** The position of the server's entries in merged lists. */
  readonly position: number;
  /** The id of the principal whose agent added the server; absent for the host's servers. */
  readonly addedBy?: string | undefined;
  /** The host's reason why clients share the server, or why each client has its own run. */
  readonly scopeReason?: string | undefined;
  /** Removes and reloads the server in all muxes that have it. When absent, only this mux is affected. */
  readonly manager?: ExternalControl | undefined;
  /** The configuration that identifies the server for pinned tools; `config` when absent. */
  readonly pinnedAs?: AnyServerConfig | undefined;
  /** The filter for the server's tools; all tools unchanged when absent. */
  readonly view?: ToolFilter | undefined;
  /** The lists from an earlier mux, used until the first run has read its lists. */
  readonly remembered?: RememberedLists | undefined;
  /** Reads the configuration again when a server with an unusable one is reloaded. Has no other effect. */
  readonly reread?: (() => RereadResult) | undefined;
}
