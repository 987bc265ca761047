import { isObject, type JsonObject } from '@mcpmux/clients';
import { parseConfigText } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { configServers, configTextOf, configToRead, type ConfigFlags } from '../config/config-choice.js';
import type { CommandContext } from '../terminal/command-context.js';

/**
 * Returns the location of the file that contains a server's entry: the project file if only the project has the server,
 * otherwise the config itself.
 */
export function locationOfServer(location: ConfigLocation, name: string): ConfigLocation {
  const { project, ...userLocation } = location;
  if (project === undefined) return location;
  const projectLocation: ConfigLocation = { ...project, origin: 'project' };
  return !hasServer(userLocation, name) && hasServer(projectLocation, name) ? projectLocation : userLocation;
}

function hasServer(location: ConfigLocation, name: string): boolean {
  const { entries } = configServers(location, configTextOf(location)).reading;
  return entries.some((entry) => entry.name === name || entry.path.at(-1) === name);
}

/** Adds `scope: 'project'` to the flags for an edit if only the project's file contains the servers to edit. */
export function flagsForServers<Flags extends ConfigFlags>(
  context: CommandContext,
  flags: Flags,
  names: readonly string[],
): Flags {
  const location = locationWithProject(context, flags);
  const isOfProject = (name: string): boolean =>
    location !== undefined && locationOfServer(location, name).origin === 'project';
  return names.length > 0 && names.every(isOfProject) ? { ...flags, scope: 'project' } : flags;
}

/** Returns the location of the config if mcpmux merges it with a project's config, otherwise undefined. */
export function locationWithProject(context: CommandContext, flags: ConfigFlags): ConfigLocation | undefined {
  const location = configToRead(context, flags);
  return location?.project === undefined ? undefined : location;
}

/** Returns the parsed content of a config, including the servers that a project adds. */
export function configValue(location: ConfigLocation): {
  readonly value: unknown;
  /** The names of the servers that the project adds. */
  readonly projectServers: readonly string[];
} {
  const { value } = parseConfigText(location.file, configTextOf(location));
  const { project } = location;
  if (project === undefined || !isObject(value)) return { value, projectServers: [] };
  const parsed = parseConfigText(project.file, configTextOf({ ...project, origin: 'project' })).value;
  const names = isObject(parsed)
    ? ['mcpServers', 'servers'].flatMap((list) => Object.entries(objectMemberOrEmpty(parsed, list)))
    : [];
  const projectServers = names.filter(([name]) => locationOfServer(location, name).origin === 'project');
  const servers = { ...objectMemberOrEmpty(value, 'mcpServers'), ...Object.fromEntries(projectServers) };
  return { value: { ...value, mcpServers: servers }, projectServers: projectServers.map(([name]) => name) };
}

function objectMemberOrEmpty(value: JsonObject, key: string): JsonObject {
  const member = value[key];
  return isObject(member) ? member : {};
}
