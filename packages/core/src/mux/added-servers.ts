import type { SessionLayers } from '../server/registry/layers.js';
import { settled } from '../server/registry/registry-outcomes.js';
import { isStreams, isUnusable, type ServerConfig } from '../server/config/server-config.js';
import { usableConfig } from '../server/config/usable-config.js';

/** A server that a client has added, with all values of its configuration, including secrets. */
export interface AddedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /**
   * True if all clients share the server. If false, only the clients that share the adding client's servers have it.
   */
  readonly isForAll: boolean;
}

/**
 * Returns the servers that clients have added in the session's own place, and those that any client has added for all.
 */
export function addedServers({ own, adds }: SessionLayers): readonly AddedServer[] {
  return [...new Set([own.shared, adds])].flatMap((registry) =>
    registry.registered().flatMap(({ name, config, addedBy }) => {
      if (addedBy === undefined || isStreams(config) || isUnusable(config)) return [];
      return [{ name, config, isForAll: registry.isShared }];
    }),
  );
}

/**
 * Adds a server that a client has added to an earlier mux, on behalf of that client.
 *
 * @throws NamespaceError, MuxError of {@link Registry.add}
 */
export function restoreServer(
  { name, config, isForAll }: AddedServer,
  { own, adds, session }: SessionLayers,
  addedBy: string,
): void {
  const registry = isForAll ? own.shared : adds;
  const by = { rule: 'added before', session };
  const { keep, started } = registry.add(name, usableConfig(config), { by, addedBy, from: own });
  keep();
  // The server's state reports the outcome of the start.
  void settled(started);
}
