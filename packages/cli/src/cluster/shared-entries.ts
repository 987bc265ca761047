import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { decodedText } from '@mcpmux/clients';
import type { PlacementRules, RunnableServer, ServerRecord } from '@mcpmux/cluster';
import { type ConfigContext, loadConfig, readConfig, toolView } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import { configOf, registeredServers } from '@mcpmux/config/follow';

import { literalSecretNames } from '../redact/literal-secrets.js';

/** The servers of a config, as published to the cluster. */
export interface SharedEntries {
  /** The records by server name. Placeholders are not replaced, because each node fills in its own values. */
  readonly records: ReadonlyMap<string, ServerRecord>;
  /** The names of the plain-text secrets in entries, by server name. Servers with such secrets stay on this node. */
  readonly secretNames: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads a config's servers for the cluster. Omits entries that set `"mux": { "cluster": false }`, use
 * `isolation: session`, or contain `${cmd:…}`.
 */
export function readSharedEntries(file: string): SharedEntries {
  const records = new Map<string, ServerRecord>();
  const secretNames = new Map<string, readonly string[]>();
  for (const entry of readConfig(file, decodedText(readFileSync(file))).entries) {
    if (!('server' in entry)) continue;
    const { name, server } = entry;
    const sandbox = 'sandbox' in entry ? entry.sandbox : undefined;
    const rules = server.mux?.cluster;
    // With `isolation: session`, each session starts its own server run, so nodes cannot share the server.
    if (rules === false || server.mux?.isolation === 'session') continue;
    // A `${cmd:…}` command may run only on the node where a person has approved it.
    if (JSON.stringify(server).includes('${cmd:')) continue;
    const secrets = literalSecretNames(server);
    if (secrets.length > 0) secretNames.set(name, secrets);
    // The record includes the sandbox, because other nodes do not have this config's defaults.
    else
      records.set(name, { spec: { entry: sandbox ? { ...server, sandbox } : server }, ...placement(rules) });
  }
  return { records, secretNames };
}

/** Converts a server entry from the cluster to a configuration that this node can run. */
export function runnableServerOf(
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
  const [loadedServer] = registeredServers(servers, {}).values();
  if (loadedServer === undefined) return { config: { problem: 'the cluster has no usable entry of it' } };
  const tools = loadedServer.status === 'ready' ? loadedServer.tools : undefined;
  return { config: configOf(loadedServer), ...(tools !== undefined && { tools: toolView(tools) }) };
}

function placement(rules: PlacementRules = {}): PlacementRules {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
}
