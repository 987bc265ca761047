import type { SessionLayers } from '../server/registry/layers.js';
import { whenDone } from '../server/registry/registry-outcomes.js';
import { isStreams, isUnusable, type ServerConfig } from '../server/config/server-config.js';
import { configOrProblem } from '../server/config/usable-config.js';

/** A server that a client has added, with all values of its config, including secrets. */
export interface AddedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** True if all clients share the server. False if only clients in the adding client's layer have it. */
  readonly isForAll: boolean;
}

/** Returns the servers that clients added to the session's own layer, and those that clients added for all clients. */
export function addedServers({ own, addRegistry }: SessionLayers): readonly AddedServer[] {
  return [...new Set([own.shared, addRegistry])].flatMap((registry) =>
    registry.registeredServers().flatMap(({ name, config, addedBy }) => {
      if (addedBy === undefined || isStreams(config) || isUnusable(config)) return [];
      return [{ name, config, isForAll: registry.isShared }];
    }),
  );
}

/**
 * Adds a server again for a client that had added it to an earlier mux.
 *
 * @throws NamespaceError or MuxError, as {@link Registry.add} does
 */
export function restoreServer(
  { name, config, isForAll }: AddedServer,
  { own, addRegistry, session }: SessionLayers,
  addedBy: string,
): void {
  const registry = isForAll ? own.shared : addRegistry;
  const by = { rule: 'added before', session };
  const { keep, started } = registry.add(name, configOrProblem(config), { by, addedBy, actorRegistry: own });
  keep();
  // A failed start is not an error here: the server's state reports it.
  void whenDone(started);
}
