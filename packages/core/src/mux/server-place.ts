import type { RemovalOptions } from '../server/registry/fleet.js';
import type { Upstream } from '../server/upstream.js';

/** Distinguishes servers of the same name by their layer. */
export interface ServerPlace {
  /** The id of the server's layer, as in {@link ServerStatus}. Absent for a server that all clients share. */
  readonly layer?: string | undefined;
}

/** Options of {@link Mux.reloadServer}. */
export interface ReloadServerOptions extends ServerPlace {
  /** If true, approves the tool definitions that the server lists after the reload. False when absent. */
  readonly approve?: boolean;
}

/** Options of {@link Mux.removeServer}. */
export interface RemoveServerOptions extends ServerPlace, RemovalOptions {}

/** The members of an event that identify its server. A shared server has no `layer`. */
export interface NamedServer extends ServerPlace {
  readonly server: string;
}

/** Returns a server's name, and its layer unless the server is shared. */
export function namedServer({ name: server, layer }: Pick<Upstream, 'name' | 'layer'>): NamedServer {
  return layer.isShared ? { server } : { server, layer: layer.id };
}
