import type { RemovalOptions } from '../server/registry/fleet.js';

/** Distinguishes a server from other servers of the same name. */
export interface ServerPlace {
  /** The layer of the server, as {@link ServerStatus} has it. Absent for a server that was added for all clients. */
  readonly layer?: string | undefined;
}

/** Options of {@link Mux.reloadServer}. */
export interface ReloadServerOptions extends ServerPlace {
  /** Approves the tool definitions after the reload. False when absent. */
  readonly approve?: boolean;
}

/** Options of {@link Mux.removeServer}. */
export interface RemoveServerOptions extends ServerPlace, RemovalOptions {}
