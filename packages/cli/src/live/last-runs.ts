import { type ConfigContext, type LoadedConfig, type LoadedServer, toolView } from '@mcpmux/config';
import { DEFAULT_NAME_BUDGET, fitName, parseServerName, qualify } from '@mcpmux/namespace';

import { jsonObject } from '../base/json-object.js';
import { chainVariable, withVariables } from '../config/config-chain.js';
import { RememberedCatalog, rememberedFile, sha256 } from '../config/remembered-catalog.js';
import { thisProcess } from '../config/this-process.js';
import type { Outcome } from './outcome.js';

const FIT = { maxLength: DEFAULT_NAME_BUDGET, digest: sha256 };

/** A server of a config that can be started. */
export type ReadyServer = Extract<LoadedServer, { readonly status: 'ready' }>;

/** The servers of a config that can be started, as a mux gets them, and the saved lists from their last runs. */
export interface LastRuns {
  readonly servers: readonly ReadyServer[];
  readonly memory: RememberedCatalog;
}

/** Reads the last runs of a config's servers. */
export function lastRuns(config: LoadedConfig, environment: ConfigContext['environment']): LastRuns {
  const chain = chainVariable(config.file, environment);
  const servers = config.servers.flatMap((server) =>
    server.status === 'ready' ? [{ ...server, config: withVariables(server.config, chain) }] : [],
  );
  return { servers, memory: new RememberedCatalog(rememberedFile(config.file, thisProcess())) };
}

/** Returns the outcomes of servers that no mcpmux serves, without starting any. */
export function outcomesOfLastRuns(config: LoadedConfig, { servers, memory }: LastRuns): readonly Outcome[] {
  return config.servers.map(({ name, status }) => {
    if (status !== 'ready') return { kind: status === 'disabled' ? status : 'failed', name };
    const server = servers.find((candidate) => candidate.name === name);
    const lists = server && memory.recall(name, server.config);
    if (server === undefined || lists === undefined) return { kind: 'ready', name };
    return { kind: 'remembered', name, tools: toolsOf(server, lists.tools) };
  });
}

/** Returns the names of a server's tools for clients, as a mux with the default budget for names makes them. */
function toolsOf({ name, tools }: ReadyServer, definitions: readonly string[] = []): readonly string[] {
  const view = tools === undefined ? undefined : toolView(tools);
  const names = definitions.flatMap((definition) => {
    const tool = jsonObject(definition)?.['name'];
    if (typeof tool !== 'string') return [];
    const shown = view?.shown(tool);
    if (shown === false || shown?.isHidden === true) return [];
    return [fitName(qualify(parseServerName(name), shown?.name ?? tool), FIT)];
  });
  return [...new Set(names)];
}
