import type { SessionLayers } from '../server/registry/layers.js';
import { settled } from '../server/registry/registry-outcomes.js';
import { isStreams, isUnusable, type ServerConfig } from '../server/config/server-config.js';
import { usableConfig } from '../server/config/usable-config.js';

/** A server that a client has added, with all values of its configuration, secrets too. */
export interface AddedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** All clients share it; otherwise those have it that share the servers of the client. */
  readonly isForAll: boolean;
}

/** The servers that clients have added where a session adds its own, and those that any client has added for all. */
export function addedServers({ own, adds }: SessionLayers): readonly AddedServer[] {
  return [...new Set([own.shared, adds])].flatMap((registry) =>
    registry.registered().flatMap(({ name, config, addedBy }) => {
      if (addedBy === undefined || isStreams(config) || isUnusable(config)) return [];
      return [{ name, config, isForAll: registry.isShared }];
    }),
  );
}

/**
 * Adds a server that a client has added to an earlier mux, in the name of that client.
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
  // Its state tells how the start went.
  void settled(started);
}
