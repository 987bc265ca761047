import { type ConfigContext, type LoadedConfig, matching } from '@mcpmux/config';
import { didYouMean } from '@mcpmux/config/find';
import type { ReadyServer } from '@mcpmux/config/follow';
import type { RememberedLists } from '@mcpmux/core';

import { parseJsonObject } from '../base/json-object.js';
import type { StateContext } from '../files/state-folder.js';
import { readLastRuns } from './last-runs.js';

/** Returns a message for each pattern in a server's tool settings that matches none of the given tools. */
export function unmatchedFilterMessages(
  { tools: settings }: ReadyServer,
  tools: readonly string[],
): readonly string[] {
  if (settings === undefined || tools.length === 0) return [];
  const { include = [], exclude, overrides } = settings;
  const patterns: readonly (readonly [where: string, pattern: string])[] = [
    ...include.map((pattern) => ['the included tools', pattern] as const),
    ...exclude.map((pattern) => ['the excluded tools', pattern] as const),
    ...Object.keys(overrides).map((pattern) => ['mux.tools', pattern] as const),
  ];
  return patterns
    .filter(([, pattern]) => !tools.some(matching([pattern])))
    .map(([where, pattern]) => `"${pattern}" in ${where} matches no tool.${didYouMean(pattern, tools)}`);
}

/** Returns the tool names in a server's lists, before tool settings apply. */
export function toolNames({ tools = [] }: RememberedLists): readonly string[] {
  return tools.flatMap((text) => {
    const { name } = parseJsonObject(text) ?? {};
    return typeof name === 'string' ? [name] : [];
  });
}

/** Returns the {@link unmatchedFilterMessages} of a config's servers, based on the lists from their last runs. */
export function unmatchedFiltersInConfig(
  config: LoadedConfig,
  context: ConfigContext & StateContext,
): readonly { readonly name: string; readonly message: string }[] {
  const { servers, memory } = readLastRuns(config, context.environment, context);
  return servers.flatMap((server) => {
    const tools = toolNames(memory.recall(server.name, server.config) ?? {});
    return unmatchedFilterMessages(server, tools).map((message) => ({ name: server.name, message }));
  });
}
