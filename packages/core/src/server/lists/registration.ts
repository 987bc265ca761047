import type { ServerName } from '@mcpmux/namespace';

import type { RememberedLists } from './remembered-lists.js';
import type { Layer } from '../config/layer.js';
import type { AnyServerConfig } from '../config/server-config.js';
import type { ExternalControl } from '../config/server-manager.js';
import type { ToolFilter } from './tool-filter.js';

/** The result of reading a config again. */
export interface RereadResult extends Pick<Registration, 'view' | 'remembered'> {
  readonly config: AnyServerConfig;
  /** Called once the server has been registered with this config. */
  readonly registered?: (() => void) | undefined;
}

/** The parameters with which a server is registered. */
export interface Registration<Server = unknown> {
  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** The layer in which the server is registered. Only clients in this layer or an inner one see the server. */
  readonly layer: Layer<Server>;
  /** Determines where the server's entries appear in merged lists. */
  readonly position: number;
  /** The id of the principal whose agent added the server. Absent for the host's servers. */
  readonly addedBy?: string | undefined;
  /** Why clients share the server, or why each client has its own run, according to the host. */
  readonly scopeReason?: string | undefined;
  /** Removes and reloads the server in every mux that has it. If absent, only this mux has the server. */
  readonly manager?: ExternalControl | undefined;
  /** The config that identifies the server for pinned tools. Defaults to `config`. */
  readonly pinnedAs?: AnyServerConfig | undefined;
  /** The filter for the server's tools. If absent, all tools stay unchanged. */
  readonly view?: ToolFilter | undefined;
  /** The lists from an earlier mux, for use until the first run has read its own. */
  readonly remembered?: RememberedLists | undefined;
  /** Reads the config again when a server whose config is unusable is reloaded. Must not have any other effect. */
  readonly reread?: (() => RereadResult) | undefined;
}
