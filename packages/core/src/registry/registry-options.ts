import type { Layer } from '../upstream/config/layer.js';
import type { RememberedLists } from '../upstream/lists/remembered-lists.js';
import type { ToolFilter } from '../upstream/lists/tool-filter.js';
import type { Upstream } from '../upstream/upstream.js';
import type { Actor } from './actor.js';

/** The layer in which a name is looked up. */
export interface NamingLayer extends Layer {
  /** The server that takes up a name for clients in this layer, in whatever case or width. */
  resolve(name: string): Upstream | undefined;
}

/** For whom a name is to be free. */
export interface NameOptions {
  /** The layer of the one who adds the server: the name must be free for it. The registry itself when absent. */
  readonly from?: NamingLayer;
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
}
