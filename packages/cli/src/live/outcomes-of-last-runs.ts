import { hash } from 'node:crypto';

import { type LoadedConfig, toolView } from '@mcpmux/config';
import type { ReadyServer } from '@mcpmux/config/follow';
import type { RememberedLists } from '@mcpmux/core';
import { DEFAULT_NAME_BUDGET, fitName, parseServerName, qualify } from '@mcpmux/namespace';

import type { LastRuns } from '../config/last-runs.js';
import { toolNames } from '../config/unmatched-filters.js';
import type { Outcome } from './outcome.js';

const FIT_OPTIONS = { maxLength: DEFAULT_NAME_BUDGET, digest: (text: string) => hash('sha256', text) };

/** Returns the outcomes of a config's servers from their last runs, for a config that no mcpmux serves. */
export function outcomesOfLastRuns(config: LoadedConfig, { servers, memory }: LastRuns): readonly Outcome[] {
  return config.servers.map(({ name, status }) => {
    if (status !== 'ready') return { kind: status === 'disabled' ? status : 'failed', name };
    const server = servers.find((candidate) => candidate.name === name);
    const lists = server && memory.recall(name, server.config);
    if (server === undefined || lists === undefined) return { kind: 'ready', name };
    return { kind: 'remembered', name, tools: exposedToolNames(server, lists) };
  });
}

/** Returns the names under which a mux with the default name budget would expose a server's tools. */
function exposedToolNames({ name, tools }: ReadyServer, lists: RememberedLists): readonly string[] {
  const view = tools && toolView(tools);
  const names = toolNames(lists).flatMap((tool) => {
    const exposed = view?.shown(tool);
    if (exposed === false || exposed?.isHidden === true) return [];
    return [fitName(qualify(parseServerName(name), exposed?.name ?? tool), FIT_OPTIONS)];
  });
  return [...new Set(names)];
}
