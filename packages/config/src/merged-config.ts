import { foldServerName, isServerName } from '@mcpmux/namespace';

import type { ConfigProblem } from './config-problem.js';
import type { LoadedConfig } from './loaded-config.js';

/** The sections of a project's config that have no effect when its servers are added to the user's config. */
const UNUSED = ['guards', 'http', 'cluster', 'exposure', 'codeMode', 'history', 'sharedEnvironment'] as const;

/**
 * Adds a project's servers to the user's config. If names clash, the user's server wins, even if it is disabled or
 * misconfigured, so that no project can replace or enable it. The user decides all other settings.
 */
export function withProjectServers(own: LoadedConfig, project: LoadedConfig): LoadedConfig {
  const ownNames = new Set(own.servers.map(({ name }) => foldName(name)));
  const addedServers = project.servers.filter(({ name }) => !ownNames.has(foldName(name)));
  const hiddenServers = project.servers.filter(({ name }) => ownNames.has(foldName(name)));
  const unusedKeys = [
    ...UNUSED.filter((section) => project[section] !== undefined),
    ...(Object.keys(project.profiles).length > 0 ? ['profiles'] : []),
    ...(project.isShared ? ['shared'] : []),
  ];
  const warnings = [
    ...hiddenServers.map(({ name }) => `the server "${name}" is not used: ${own.file} has one of this name`),
    ...unusedKeys.map((section) => `"${section}" is not used: the setting of ${own.file} counts`),
  ].map((message): ConfigProblem => {
    return { severity: 'warning', file: project.file, line: 1, column: 1, path: '', message };
  });
  return {
    ...own,
    servers: [...own.servers, ...addedServers],
    problems: [...own.problems, ...project.problems, ...warnings],
  };
}

function foldName(name: string): string {
  return isServerName(name) ? foldServerName(name) : name;
}
