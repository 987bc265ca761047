import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { decodedText } from '@mcpmux/clients';
import type { PlacementRules, RunnableServer, ServerRecord } from '@mcpmux/cluster';
import { type ConfigContext, loadConfig, readConfig, toolView } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import { configOf, registeredServers } from '@mcpmux/config/follow';

import { literalSecrets } from '../redact/literal-secrets.js';

/** The servers of a config in the form that is published to the cluster. */
export interface SharedEntries {
  /** The entries by server name. Placeholders are not replaced, because each node fills in its own values. */
  readonly shared: ReadonlyMap<string, ServerRecord>;
  /**
   * Servers that stay on this node because their entries contain a secret in plain text, with the names of the secrets.
   */
  readonly secret: ReadonlyMap<string, readonly string[]>;
}

/** Reads which servers of a config the whole cluster gets, which are those without `"mux": { "cluster": false }`. */
export function sharedEntries(file: string): SharedEntries {
  const shared = new Map<string, ServerRecord>();
  const secret = new Map<string, readonly string[]>();
  for (const entry of readConfig(file, decodedText(readFileSync(file))).entries) {
    if (!('server' in entry)) continue;
    const { name, server } = entry;
    const sandbox = 'sandbox' in entry ? entry.sandbox : undefined;
    const rules = server.mux?.cluster;
    // Each session has its own run of such a server, so only this node's sessions use it.
    if (rules === false || server.mux?.isolation === 'session') continue;
    // Only the node on which a person has approved the command runs it.
    if (JSON.stringify(server).includes('${cmd:')) continue;
    const secrets = literalSecrets(server);
    if (secrets.length > 0) secret.set(name, secrets);
    // Other nodes do not have the defaults of this config.
    else
      shared.set(name, { spec: { entry: sandbox ? { ...server, sandbox } : server }, ...placement(rules) });
  }
  return { shared, secret };
}

/** Returns the configuration with which this node runs an entry of the cluster. */
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
  const { servers } = loadConfig(location, { ...context, isForeign: true }, read);
  const [loaded] = registeredServers(servers, {}).values();
  if (loaded === undefined) return { config: { problem: 'the cluster has no usable entry of it' } };
  const tools = loaded.status === 'ready' ? loaded.tools : undefined;
  return { config: configOf(loaded), ...(tools !== undefined && { tools: toolView(tools) }) };
}

function placement(rules: PlacementRules = {}): PlacementRules {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
}
