import type { Registration } from '../lists/registration.js';
import type { Upstream } from '../upstream.js';
import type { Actor } from './actor.js';
import type { Layer } from '../config/layer.js';

/** The scope in which a name must be free. */
export interface NameOptions {
  /**
   * The registry of the actor that adds the server. The name must be free there. When absent, the name must be free in
   * the registry that gets the server.
   */
  readonly from?: Layer & { resolve(name: string): Upstream | undefined };
  /** True if the actor may learn that the given server has the name. True for all servers when absent. */
  readonly sees?: ((upstream: Upstream) => boolean) | undefined;
}

/** Options of {@link Registry.add}. */
export interface AddingOptions
  extends
    NameOptions,
    Pick<
      Registration,
      'view' | 'remembered' | 'reread' | 'addedBy' | 'scopeReason' | 'manager' | 'pinnedAs'
    > {
  readonly by?: Actor;
}
