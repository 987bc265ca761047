import type { ServerConfig } from '../upstream/config/server-config.js';

/** Where a host keeps servers that agents add, so that the next mux of the host has them too. */
export interface ServerStore {
  /**
   * Keeps a server, in place of what was kept under this name.
   *
   * @throws Error whose message tells a model why it cannot be kept, without any value of a secret
   */
  keep(name: string, config: ServerConfig): Promise<void>;
  /**
   * Takes a server out again. Resolves to whether it was kept: what somebody else put there stays.
   *
   * @throws Error whose message tells a model why it cannot be taken out
   */
  forget(name: string): Promise<boolean>;
}

/** Why nothing can be kept where a mux has no {@link ServerStore}. */
export const NO_STORE =
  'this mcpmux keeps no servers. Add it without "persist", or tell the user that mcpmux has to be started with ' +
  '--catalog FILE to keep it for later starts.';

/** Why a server is not kept that not all clients see: it is there for a principal at its path, or for one session. */
export const NOT_SHARED =
  'what this client adds is not there for all clients, and only what is there for all is kept for later starts. ' +
  'Add it without "persist".';
