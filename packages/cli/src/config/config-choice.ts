import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { decodedText, isObject, valueAt, type JsonObject } from '@mcpmux/clients';
import {
  type ConfigProblem,
  type ConfigReading,
  formatProblem,
  parseConfigText,
  readConfig,
} from '@mcpmux/config';
import {
  type ConfigFound,
  type ConfigLocation,
  type ConfigSearch,
  countsProjects,
  findConfig,
  searchOrder,
} from '@mcpmux/config/find';

import type { CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { shellWord } from '../terminal/shell-word.js';

/** Flags that choose a config file. */
export interface ConfigFlags {
  readonly config?: string;
  /** The name of the `config` flag in earlier versions. */
  readonly catalog?: string;
  /** The user's config, or the project's config. When absent, the config that mcpmux uses here. */
  readonly scope?: 'user' | 'project';
  /** Also uses the config of a project. When absent, the variable MCPMUX_PROJECT_CONFIG decides. */
  readonly projectConfig?: boolean;
  /** Only the servers of this profile are used. */
  readonly profile?: string;
}

/** Flags of a command that writes a config. */
export interface WriteFlags extends ConfigFlags {
  readonly dryRun?: boolean;
}

/** The servers of a file, as written. */
export interface ConfigServers {
  readonly reading: ConfigReading;
  /** Returns the value of an entry. */
  readonly valueOf: (path: readonly (string | number)[]) => JsonObject;
}

/** Returns the result of the search for the config that these flags choose. */
export function foundConfig(context: CommandContext, flags: ConfigFlags): ConfigFound {
  const found = findConfig(configSearch(context, flags));
  const isOther =
    found.kind === 'found' && flags.scope !== undefined && found.location.origin !== flags.scope;
  return isOther ? { kind: 'none' } : found;
}

/** Returns the config to read. Undefined if no file was found and none was named. */
export function configToRead(context: CommandContext, flags: ConfigFlags): ConfigLocation | undefined {
  const found = foundConfig(context, flags);
  switch (found.kind) {
    case 'found':
      return found.location;
    case 'none':
      return undefined;
    case 'missing':
      throw new CommandError('CONFIG_NOT_FOUND', `there is no file ${found.location.file}.`, {
        next: 'check the path, or create the file with: mcpmux init',
      });
    case 'foreign':
      throw new CommandError(
        'CONFIG_OF_ANOTHER_USER',
        `the config ${found.location.file} belongs to another user and is not used.`,
        { next: 'to use the file, name it with --config.' },
      );
  }
}

/**
 * Returns the config to write, which is the config that is read with the same flags, or the file where it would be
 * found.
 *
 * @throws CommandError CONFIG_OF_ANOTHER_USER
 */
export function configToWrite(context: CommandContext, flags: ConfigFlags): ConfigLocation {
  const { cwd } = context;
  const file = flags.config ?? flags.catalog;
  if (file !== undefined) return { file: resolve(cwd, file), origin: 'flag', folder: cwd };
  if (flags.scope === 'project') return configToRead(context, flags) ?? projectConfigOf(context);
  const user = searchOrder({ ...configSearch(context, {}), environment: withoutNamed(context) }).at(-1);
  const location = flags.scope === 'user' ? user : (configOrNone(context, flags) ?? user);
  if (location === undefined) throw new TypeError('the search order is empty');
  return location;
}

/** Returns the file in the working directory that is the config of its project. */
export function projectConfigOf({ cwd }: CommandContext): ConfigLocation {
  return { file: join(cwd, 'mcpmux.json'), origin: 'project', folder: cwd };
}

/**
 * Returns the flags with which another command uses this config, with a space before them. Empty if no flags are
 * needed.
 */
export function flagsFor(context: CommandContext, { file, origin }: ConfigLocation): string {
  if (configOrNone(context, {})?.file === file) return '';
  return origin === 'project' || origin === 'user' ? ` --scope ${origin}` : ` --config ${shellWord(file)}`;
}

/** Returns the given flags for another command, with a space before them. Empty if none chose the config. */
export function givenFlags({ config, catalog, scope, profile }: ConfigFlags): string {
  const file = config ?? catalog;
  const chosen = profile === undefined ? '' : ` --profile ${shellWord(profile)}`;
  if (file !== undefined) return ` --config ${shellWord(file)}${chosen}`;
  return `${scope === undefined ? '' : ` --scope ${scope}`}${chosen}`;
}

/** Returns the text of a config. Empty when the file does not exist yet. */
export function configTextOf({ file }: ConfigLocation): string {
  if (!existsSync(file)) return '';
  try {
    return decodedText(readFileSync(file));
  } catch {
    throw new CommandError('CONFIG_UNREADABLE', `${file} cannot be read.`, {
      next: 'check that it is a file and that its permissions allow it.',
    });
  }
}

/**
 * Reads the entries of a config, usable or not.
 *
 * @throws CommandError CONFIG_INVALID with the position if no part of the config can be used
 */
export function configServers({ file }: ConfigLocation, text: string): ConfigServers {
  const source = text.trim() === '' ? '{}' : text;
  const reading = readConfig(file, source);
  if (!reading.isUsable) throw configInvalid(file, reading.problems);
  const { value } = parseConfigText(file, source);
  return {
    reading,
    valueOf: (path) => {
      const entry = valueAt(value, path.map(String));
      return isObject(entry) ? entry : {};
    },
  };
}

/** Returns the error for a config of which no part can be used. */
export function configInvalid(file: string, problems: readonly ConfigProblem[]): CommandError {
  return new CommandError('CONFIG_INVALID', `the config ${file} cannot be used.`, {
    details: problems.map(formatProblem),
    next: 'correct the config, then: mcpmux config validate',
  });
}

/** Returns the config of a project that `--project-config` would use. */
export function unusedProjectConfig(context: CommandContext, flags: ConfigFlags): string | undefined {
  const search = configSearch(context, flags);
  if (search.projects !== false || flags.scope !== undefined || search.flag !== undefined) return undefined;
  const found = findConfig({ ...search, projects: true });
  return found.kind === 'found' && found.location.origin === 'project' ? found.location.file : undefined;
}

/** Returns the config that mcpmux would use. Undefined if there is none. */
export function configOrNone(
  context: CommandContext,
  { projectConfig }: ConfigFlags,
): ConfigLocation | undefined {
  const found = findConfig(configSearch(context, projectConfig === undefined ? {} : { projectConfig }));
  return found.kind === 'found' || found.kind === 'missing' ? found.location : undefined;
}

/** Returns the places to search for the config that these flags choose. */
export function configSearch(
  context: CommandContext,
  { config, catalog, scope, projectConfig }: ConfigFlags,
): ConfigSearch {
  const { cwd, home, platform } = context;
  const environment = scope === undefined ? context.environment : withoutNamed(context);
  const projects = scope === undefined ? countsProjects(projectConfig, environment) : scope === 'project';
  return { cwd, home, platform, environment, flag: config ?? catalog, projects };
}

/** Returns the environment without the variable that names a config. */
export function withoutNamed({ environment }: CommandContext): CommandContext['environment'] {
  return { ...environment, MCPMUX_CONFIG: undefined };
}
