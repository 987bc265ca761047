import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { decodedText } from '@mcpmux/clients';
import type { PlacementRules, RunnableServer, ServerRecord } from '@mcpmux/cluster';

import type { ConfigLocation } from '@mcpmux/config/find';
import { loadConfig, type ConfigContext } from '@mcpmux/config';
import { readConfig } from '@mcpmux/config';
import { configOf, registeredServers } from '../config/registered-servers.js';
import { toolView } from '@mcpmux/config';
import { literalSecrets } from '../redact/literal-secrets.js';

/** The servers of a config, as the cluster gets them. */
export interface SharedEntries {
  /** By name. Placeholders are as written: each node puts its own values in. */
  readonly shared: ReadonlyMap<string, ServerRecord>;
  /** Servers that stay on this node because they hold a secret in clear, with the names of the secrets. */
  readonly secret: ReadonlyMap<string, readonly string[]>;
}

/** Reads which servers of a config are for the whole cluster: those without `"mux": { "cluster": false }`. */
export function sharedEntries(file: string): SharedEntries {
  const shared = new Map<string, ServerRecord>();
  const secret = new Map<string, readonly string[]>();
  for (const entry of readConfig(file, decodedText(readFileSync(file))).entries) {
    if (!('server' in entry)) continue;
    const { name, server } = entry;
    const rules = server.mux?.cluster;
    // Each session has its own run of such a server: it is for the sessions of this node.
    if (rules === false || server.mux?.isolation === 'session') continue;
    const secrets = literalSecrets(server);
    if (secrets.length > 0) secret.set(name, secrets);
    else shared.set(name, { spec: { entry: server }, ...placement(rules) });
  }
  return { shared, secret };
}

/** Returns the server that this node runs for an entry of the cluster. */
export function runnableEntry(
  server: string,
  spec: unknown,
  location: ConfigLocation,
  context: ConfigContext,
): RunnableServer {
  const entry = typeof spec === 'object' && spec !== null && 'entry' in spec ? spec.entry : undefined;
  const text = JSON.stringify({ mcpServers: { [server]: entry } });
  const read = (path: string): string =>
    path === location.file ? text : decodedText(readFileSync(resolve(location.folder, path)));
  const { servers } = loadConfig(location, context, read);
  const [loaded] = registeredServers(servers, {}).values();
  if (loaded === undefined) return { config: { problem: 'the cluster has no usable entry of it' } };
  const tools = loaded.status === 'ready' ? loaded.tools : undefined;
  return { config: configOf(loaded), ...(tools !== undefined && { tools: toolView(tools) }) };
}

function placement(rules: PlacementRules = {}): PlacementRules {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
}
