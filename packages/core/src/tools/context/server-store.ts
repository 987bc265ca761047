import type { ServerConfig } from '../../upstream/config/server-config.js';

/** Stores servers that agents add, so that the next mux of the host adds them too. */
export interface ServerStore {
  /**
   * Stores a server, in place of an entry of the same name.
   *
   * @throws Error whose message tells a model why the server cannot be stored, without any value of a secret
   */
  save(name: string, config: ServerConfig): Promise<void>;
  /**
   * Deletes a server that {@link ServerStore.save} stored; entries of other origin stay. Resolves to true if there was
   * such a server.
   *
   * @throws Error whose message tells a model why the server cannot be deleted
   */
  delete(name: string): Promise<boolean>;
}

/** Refusal of `persist` in a mux without a {@link ServerStore}. */
export const NO_STORE =
  'this mcpmux keeps no servers. Add it without "persist", or tell the user that mcpmux has to be started with ' +
  '--catalog FILE to keep it for later starts.';

/** Refusal of `persist` for a server not visible to all clients: it belongs to a principal at its path or a session. */
export const NOT_SHARED =
  'what this client adds is not there for all clients, and only what is there for all is kept for later starts. ' +
  'Add it without "persist".';
