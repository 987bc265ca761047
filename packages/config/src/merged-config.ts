import { foldServerName, isServerName } from '@mcpmux/namespace';

import type { ConfigProblem } from './config-problem.js';
import type { LoadedConfig } from './loaded-config.js';

/** The sections of a project's config that have no effect when its servers are added to the config of the user. */
const UNUSED = ['guards', 'http', 'cluster', 'exposure', 'codeMode', 'history', 'sharedEnvironment'] as const;

/**
 * Adds the servers of a project to the config of the user. A server of the user keeps its name even if it is disabled
 * or cannot be used, so that no project replaces or enables it. The user decides all other settings.
 */
export function withProjectServers(own: LoadedConfig, project: LoadedConfig): LoadedConfig {
  const taken = new Set(own.servers.map(({ name }) => foldName(name)));
  const added = project.servers.filter(({ name }) => !taken.has(foldName(name)));
  const hidden = project.servers.filter(({ name }) => taken.has(foldName(name)));
  const unused = [
    ...UNUSED.filter((section) => project[section] !== undefined),
    ...(Object.keys(project.profiles).length > 0 ? ['profiles'] : []),
    ...(project.isShared ? ['shared'] : []),
  ];
  const warnings = [
    ...hidden.map(({ name }) => `the server "${name}" is not used: ${own.file} has one of this name`),
    ...unused.map((section) => `"${section}" is not used: the setting of ${own.file} counts`),
  ].map((message): ConfigProblem => {
    return { severity: 'warning', file: project.file, line: 1, column: 1, path: '', message };
  });
  return {
    ...own,
    servers: [...own.servers, ...added],
    problems: [...own.problems, ...project.problems, ...warnings],
  };
}

function foldName(name: string): string {
  return isServerName(name) ? foldServerName(name) : name;
}
