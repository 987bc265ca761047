import { type ConfigContext, type LoadedConfig, matching } from '@mcpmux/config';
import { didYouMean } from '@mcpmux/config/find';
import type { RememberedLists } from '@mcpmux/core';

import { jsonObject } from '../base/json-object.js';
import { chainVariable, withVariables } from './config-chain.js';
import type { ReadyServer } from './registered-servers.js';
import { RememberedCatalog, rememberedFile } from './remembered-catalog.js';

/** Returns one sentence for each name in a server's tool settings that matches no tool. */
export function unmatchedFilters(
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

/** Returns the names of the tools in a server's lists, before any tool setting applies. */
export function toolNames({ tools = [] }: RememberedLists): readonly string[] {
  return tools.flatMap((text) => {
    const { name } = jsonObject(text) ?? {};
    return typeof name === 'string' ? [name] : [];
  });
}

/** Returns the sentences of {@link unmatchedFilters} for a config's servers, based on the lists of their last runs. */
export function unmatchedInConfig(
  { file, servers }: LoadedConfig,
  context: ConfigContext & Parameters<typeof rememberedFile>[1],
): readonly { readonly name: string; readonly message: string }[] {
  const memory = new RememberedCatalog(rememberedFile(file, context));
  const chain = chainVariable(file, context.environment);
  return servers.flatMap((server) => {
    if (server.status !== 'ready') return [];
    const lists = memory.recall(server.name, withVariables(server.config, chain));
    const messages = lists === undefined ? [] : unmatchedFilters(server, toolNames(lists));
    return messages.map((message) => ({ name: server.name, message }));
  });
}
