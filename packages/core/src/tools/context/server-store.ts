import type { ServerConfig } from '../../server/config/server-config.js';

/** Saves servers that agents add, so that the host adds them to its next mux too. */
export interface ServerStore {
  /**
   * Saves a server, replacing any entry with the same name.
   *
   * @throws Error whose message explains to a model why the server cannot be saved, without containing secrets
   */
  save(name: string, config: ServerConfig): Promise<void>;
  /**
   * Deletes a server saved by {@link ServerStore.save}, without changing other entries. Resolves to true if there was
   * such a server.
   *
   * @throws Error whose message explains to a model why the server cannot be deleted
   */
  delete(name: string): Promise<boolean>;
}

/** The error for `persist` in a mux without a {@link ServerStore}. */
export const NO_STORE_REASON =
  'this mcpmux saves no servers. Add it without "persist". Tell the user: "mcpmux add" writes a server into the config, ' +
  'and a mcpmux started with --catalog FILE saves servers in FILE.';

/**
 * The error for `persist` with a server that is not shared, because it belongs to a principal's path or to a session.
 */
export const NOT_SHARED_REASON =
  'the servers that this client adds are not shared, and mcpmux saves only shared servers for later starts. ' +
  'Add it without "persist".';

/** The error for `persist` with a server that belongs to one window. */
export const ONE_WINDOW_REASON =
  'it would belong to this window, and mcpmux saves only servers of all windows. Set "scope" to "all" as well.';
