import type { RemovalOptions } from '../server/registry/fleet.js';
import type { Upstream } from '../server/upstream.js';

/** Identifies a server among servers of the same name. */
export interface ServerPlace {
  /** The layer of the server, as in {@link ServerStatus}. Absent for a server that was added for all clients. */
  readonly layer?: string | undefined;
}

/** Options of {@link Mux.reloadServer}. */
export interface ReloadServerOptions extends ServerPlace {
  /** Approves the tool definitions after the reload. False when absent. */
  readonly approve?: boolean;
}

/** Options of {@link Mux.removeServer}. */
export interface RemoveServerOptions extends ServerPlace, RemovalOptions {}

/** The members of an event that identify its server. To save bytes, `layer` is absent for a shared server. */
export interface NamedServer extends ServerPlace {
  readonly server: string;
}

/** Returns the name of a server, and its layer if the server is in a workspace or session. */
export function namedServer({ name: server, layer }: Pick<Upstream, 'name' | 'layer'>): NamedServer {
  return layer.isShared ? { server } : { server, layer: layer.id };
}
