import type { ServerConfig } from '../../upstream/config/server-config.js';

/** Stores servers that agents add, so that the next mux of the host has them too. */
export interface ServerStore {
  /**
   * Stores a server, in place of an entry of the same name.
   *
   * @throws Error whose message tells a model why the server cannot be stored, without any value of a secret
   */
  save(name: string, config: ServerConfig): Promise<void>;
  /**
   * Deletes a server that {@link ServerStore.save} stored; entries of other origin stay. Resolves to whether there was
   * such a server.
   *
   * @throws Error whose message tells a model why the server cannot be deleted
   */
  delete(name: string): Promise<boolean>;
}

/** Why nothing can be kept where a mux has no {@link ServerStore}. */
export const NO_STORE =
  'this mcpmux keeps no servers. Add it without "persist", or tell the user that mcpmux has to be started with ' +
  '--catalog FILE to keep it for later starts.';

/** Why a server is not kept that not all clients see: it is there for a principal at its path, or for one session. */
export const NOT_SHARED =
  'what this client adds is not there for all clients, and only what is there for all is kept for later starts. ' +
  'Add it without "persist".';
