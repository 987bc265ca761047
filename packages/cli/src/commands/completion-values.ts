import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Client } from '@mcpmux/clients';
import { loadConfig, type LoadedConfig, toolView } from '@mcpmux/config';
import { countsProjects, findConfig } from '@mcpmux/config/find';

import { readLastRuns } from '../config/last-runs.js';
import { thisProcess } from '../config/this-process.js';
import { toolNames } from '../config/unmatched-filters.js';

/** The candidates for a shell completion, each with a description. */
export type CompletionValues = readonly (readonly [value: string, description: string])[];

/** Returns the config that a command line selects, or undefined if the config does not exist. */
export function configOfCommandLine(args: readonly string[]): LoadedConfig | undefined {
  const { environment, ...rest } = thisProcess();
  const isProject = flagValue(args, '--scope', '-s') === 'project' || args.includes('--project-config');
  const projects = countsProjects(isProject ? true : undefined, environment);
  const flag = flagValue(args, '--config', '--catalog');
  const lookup = findConfig({ ...rest, environment, flag, projects });
  return lookup.kind === 'found' ? loadConfig(lookup.location, thisProcess()) : undefined;
}

/** Returns the servers' names, with their statuses as descriptions. Empty if there is no config. */
export function serverNames(config: LoadedConfig | undefined): CompletionValues {
  return config?.servers.map(({ name, status }) => [name, status] as const) ?? [];
}

/** Returns the tools that the servers listed in their last runs, as `SERVER.TOOL`, which `mcpmux call` accepts. */
export function toolNamesOf(config: LoadedConfig | undefined): CompletionValues {
  if (config === undefined) return [];
  const { servers, memory } = readLastRuns(config, thisProcess().environment);
  return servers.flatMap((server) => {
    const { name, tools: settings } = server;
    const view = settings && toolView(settings);
    return toolNames(memory.recall(name, server.config) ?? {}).flatMap((tool) => {
      const exposedTool = view?.shown(tool);
      return exposedTool === false ? [] : [[`${name}.${exposedTool?.name ?? tool}`, ''] as const];
    });
  });
}

/** Returns the config's profile names, with each profile's servers as its description. */
export function profileNames(config: LoadedConfig | undefined): CompletionValues {
  return Object.entries(config?.profiles ?? {}).map(([name, servers]) => [name, servers.join(', ')] as const);
}

/** Returns the ids of clients, with their titles as descriptions. */
export function clientNames(clients: readonly Client[]): CompletionValues {
  return clients.map(({ id, title }) => [id, title]);
}

/** Returns the paths of all entries in the folder that an incomplete path points into. Folder paths end with `/`. */
export function pathsInFolder(word: string): CompletionValues {
  const folder = word.endsWith('/') ? word : dirname(word);
  const prefix = word.endsWith('/') ? word : join(dirname(word), '/');
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true }).map((entry) => {
      const name = `${prefix === './' && !word.startsWith('./') ? '' : prefix}${entry.name}`;
      return [entry.isDirectory() ? `${name}/` : name, ''] as const;
    });
  } catch {
    return [];
  }
}

function flagValue(args: readonly string[], ...flags: readonly string[]): string | undefined {
  const index = args.findIndex((arg) => flags.includes(arg));
  return index === -1 ? undefined : args[index + 1];
}
