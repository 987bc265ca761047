import type { ServerName } from '@mcpmux/namespace';

import type { RememberedLists } from './remembered-lists.js';
import type { Scope } from '../config/scope.js';
import type { AnyServerConfig } from '../config/server-config.js';
import type { ToolFilter } from './tool-filter.js';

/** What a server is registered with. */
export interface Registration {
  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** Who sees it; everybody when absent. */
  readonly scope?: Scope | undefined;
  /** What clients see of its tools; all of them, as they are, when absent. */
  readonly view?: ToolFilter | undefined;
  /** What a run before this mux has listed: that counts until the first run has listed anything. */
  readonly remembered?: RememberedLists | undefined;
  /** Resolves when the first run may begin: a server of the same name may still be coming down. */
  readonly after?: Promise<void> | undefined;
}
