import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Client } from '@mcpmux/clients';
import { loadConfig, type LoadedConfig, toolView } from '@mcpmux/config';
import { countsProjects, findConfig } from '@mcpmux/config/find';

import { lastRuns } from '../config/last-runs.js';
import { thisProcess } from '../config/this-process.js';
import { toolNames } from '../config/unmatched-filters.js';

/** Values with their descriptions. */
export type Offered = readonly (readonly [value: string, description: string])[];

/** Returns the config that a command line refers to. Undefined if there is none. Completion starts no server. */
export function configFrom(args: readonly string[]): LoadedConfig | undefined {
  const { environment, ...rest } = thisProcess();
  const isProject = valueOf(args, '--scope', '-s') === 'project' || args.includes('--project-config');
  const projects = countsProjects(isProject ? true : undefined, environment);
  const flag = valueOf(args, '--config', '--catalog');
  const found = findConfig({ ...rest, environment, flag, projects });
  return found.kind === 'found' ? loadConfig(found.location, thisProcess()) : undefined;
}

/** Returns the names of the servers. An unusable config has none. */
export function serverNames(config: LoadedConfig | undefined): Offered {
  return config?.servers.map(({ name, status }) => [name, status] as const) ?? [];
}

/** Returns the tools of the servers' last runs, in the form that `mcpmux call` accepts. */
export function toolNamesOf(config: LoadedConfig | undefined): Offered {
  if (config === undefined) return [];
  const { servers, memory } = lastRuns(config, thisProcess().environment);
  return servers.flatMap((server) => {
    const { name, tools: settings } = server;
    const view = settings && toolView(settings);
    return toolNames(memory.recall(name, server.config) ?? {}).flatMap((tool) => {
      const as = view?.shown(tool);
      return as === false ? [] : [[`${name}.${as?.name ?? tool}`, ''] as const];
    });
  });
}

/** Returns the names of the profiles of a config. */
export function profileNames(config: LoadedConfig | undefined): Offered {
  return Object.entries(config?.profiles ?? {}).map(([name, servers]) => [name, servers.join(', ')] as const);
}

/** Returns the names of clients. */
export function clientNames(clients: readonly Client[]): Offered {
  return clients.map(({ id, title }) => [id, title]);
}

/** Returns the files and folders that begin with a word. Folders end with a slash. */
export function paths(word: string): Offered {
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

function valueOf(args: readonly string[], ...flags: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => flags.includes(arg));
  return at === -1 ? undefined : args[at + 1];
}
