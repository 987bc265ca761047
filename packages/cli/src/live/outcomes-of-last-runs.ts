import { hash } from 'node:crypto';

import { type LoadedConfig, toolView } from '@mcpmux/config';
import type { ReadyServer } from '@mcpmux/config/follow';
import type { RememberedLists } from '@mcpmux/core';
import { DEFAULT_NAME_BUDGET, fitName, parseServerName, qualify } from '@mcpmux/namespace';

import type { LastRuns } from '../config/last-runs.js';
import { toolNames } from '../config/unmatched-filters.js';
import type { Outcome } from './outcome.js';

const FIT = { maxLength: DEFAULT_NAME_BUDGET, digest: (text: string) => hash('sha256', text) };

/** Returns the outcomes of servers that no mcpmux serves, without starting any. */
export function outcomesOfLastRuns(config: LoadedConfig, { servers, memory }: LastRuns): readonly Outcome[] {
  return config.servers.map(({ name, status }) => {
    if (status !== 'ready') return { kind: status === 'disabled' ? status : 'failed', name };
    const server = servers.find((candidate) => candidate.name === name);
    const lists = server && memory.recall(name, server.config);
    if (server === undefined || lists === undefined) return { kind: 'ready', name };
    return { kind: 'remembered', name, tools: toolsOf(server, lists) };
  });
}

/** Returns the names of a server's tools for clients, as a mux with the default budget for names makes them. */
function toolsOf({ name, tools }: ReadyServer, lists: RememberedLists): readonly string[] {
  const view = tools && toolView(tools);
  const names = toolNames(lists).flatMap((tool) => {
    const shown = view?.shown(tool);
    if (shown === false || shown?.isHidden === true) return [];
    return [fitName(qualify(parseServerName(name), shown?.name ?? tool), FIT)];
  });
  return [...new Set(names)];
}
