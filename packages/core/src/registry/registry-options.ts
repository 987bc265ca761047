import type { RememberedLists } from '../upstream/remembered-lists.js';
import type { Scope } from '../upstream/scope.js';
import type { ToolView } from '../upstream/tool-view.js';
import type { Actor } from './actor.js';

/** How a server is added. */
export interface AddingOptions {
  readonly by?: Actor;
  /** Who sees it; everybody when absent. */
  readonly scope?: Scope;
  /** Who adds it: the name must be free in what is seen from there. The scope itself when absent. */
  readonly from?: Scope;
  /** What clients see of its tools; all of them, as they are, when absent. */
  readonly view?: ToolView | undefined;
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
