import type { ServerConfig, UnusableConfig } from '@mcpmux/core';
import { foldServerName, isServerName } from '@mcpmux/namespace';

import { withVariables } from './config-chain.js';
import type { LoadedServer } from './loaded-config.js';

/** A server to register: ready to start, or with the reason why it cannot start. */
export type RegisteredServer = Exclude<LoadedServer, { readonly status: 'disabled' }>;
/** A server that can be started. */
export type ReadyServer = Extract<LoadedServer, { readonly status: 'ready' }>;

/** Returns the servers to register, by name. Omits disabled servers, and servers whose name is invalid or in use. */
export function registeredServers(
  servers: readonly LoadedServer[],
  variables: Readonly<Record<string, string>>,
): ReadonlyMap<string, RegisteredServer> {
  const usedNames = new Set<string>();
  const registered = new Map<string, RegisteredServer>();
  for (const server of servers) {
    const { name, status } = server;
    const foldedName = isServerName(name) ? foldServerName(name) : undefined;
    if (status === 'disabled' || foldedName === undefined || usedNames.has(foldedName)) continue;
    usedNames.add(foldedName);
    const isReady = status === 'ready';
    registered.set(name, isReady ? { ...server, config: withVariables(server.config, variables) } : server);
  }
  return registered;
}

/** Returns the configuration that a mux registers under the server's name. */
export function configOf(server: RegisteredServer): ServerConfig | UnusableConfig {
  return server.status === 'ready' ? server.config : { problem: server.problem };
}

/** Returns the servers that can be started. */
export function readyServers(
  servers: ReadonlyMap<string, RegisteredServer>,
): ReadonlyMap<string, ReadyServer> {
  return new Map([...servers].filter((entry): entry is [string, ReadyServer] => entry[1].status === 'ready'));
}
