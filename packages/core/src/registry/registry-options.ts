import type { RememberedLists } from '../upstream/lists/remembered-lists.js';
import type { Scope } from '../upstream/config/scope.js';
import type { ToolFilter } from '../upstream/lists/tool-filter.js';
import type { Upstream } from '../upstream/upstream.js';
import type { Actor } from './actor.js';

/** For whom a name is to be free. */
export interface NameOptions {
  /** Who is to see the server; everybody when absent. */
  readonly scope?: Scope;
  /** Who adds it: the name must be free in what is seen from there. The scope itself when absent. */
  readonly from?: Scope;
  /** Whether the one who adds it may know of a server that has the name; when absent, of any. */
  readonly sees?: ((upstream: Upstream) => boolean) | undefined;
}

/** How a server is added. */
export interface AddingOptions extends NameOptions {
  readonly by?: Actor;
  /** What clients see of its tools; all of them, as they are, when absent. */
  readonly view?: ToolFilter | undefined;
  /** What it listed in an earlier mux: that counts until its first run has listed anything. */
  readonly remembered?: RememberedLists | undefined;
}

/** How a server is reloaded. */
export interface ReloadOptions {
  /** What its tools are then is approved: see {@link ToolPins}. */
  readonly approve?: boolean;
  readonly by?: Actor;
  /** Who asks: only what is seen from there is found. */
  readonly from?: Scope;
}
