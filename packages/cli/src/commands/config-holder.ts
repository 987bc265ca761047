import { isObject, type JsonObject } from '@mcpmux/clients';
import { parseConfigText } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { configServers, configTextOf, configToRead, type ConfigFlags } from '../config/config-choice.js';
import type { CommandContext } from '../terminal/command-context.js';

/**
 * Returns the file that has the entry of a server. It is the location itself, except for a server that only the project
 * has, where its servers are added to the config of the user.
 */
export function holderOf(location: ConfigLocation, name: string): ConfigLocation {
  const { project, ...own } = location;
  if (project === undefined) return location;
  const ofProject: ConfigLocation = { ...project, origin: 'project' };
  return !hasServer(own, name) && hasServer(ofProject, name) ? ofProject : own;
}

function hasServer(location: ConfigLocation, name: string): boolean {
  const { entries } = configServers(location, configTextOf(location)).reading;
  return entries.some((entry) => entry.name === name || entry.path.at(-1) === name);
}

/** Returns the flags with which a command edits the file that has these servers. All must be in one file. */
export function flagsOfHolder<Flags extends ConfigFlags>(
  context: CommandContext,
  flags: Flags,
  names: readonly string[],
): Flags {
  const location = mergedLocation(context, flags);
  const isOfProject = (name: string): boolean =>
    location !== undefined && holderOf(location, name).origin === 'project';
  return names.length > 0 && names.every(isOfProject) ? { ...flags, scope: 'project' } : flags;
}

/** Returns the config that mcpmux uses, if the servers of a project are added to it. */
export function mergedLocation(context: CommandContext, flags: ConfigFlags): ConfigLocation | undefined {
  const location = configToRead(context, flags);
  return location?.project === undefined ? undefined : location;
}

/** Returns the value of a config, with the servers of a project where these are added. */
export function configValue(location: ConfigLocation): {
  readonly value: unknown;
  /** The servers of the project. */
  readonly added: readonly string[];
} {
  const { value } = parseConfigText(location.file, configTextOf(location));
  const { project } = location;
  if (project === undefined || !isObject(value)) return { value, added: [] };
  const ofProject = parseConfigText(project.file, configTextOf({ ...project, origin: 'project' })).value;
  const names = isObject(ofProject)
    ? ['mcpServers', 'servers'].flatMap((list) => Object.entries(objectIn(ofProject, list)))
    : [];
  const added = names.filter(([name]) => holderOf(location, name).origin === 'project');
  const servers = { ...objectIn(value, 'mcpServers'), ...Object.fromEntries(added) };
  return { value: { ...value, mcpServers: servers }, added: added.map(([name]) => name) };
}

function objectIn(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}
