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

/** Flags that select a config file. */
export interface ConfigFlags {
  readonly config?: string;
  /** The earlier name of the `config` flag. */
  readonly catalog?: string;
  /** Selects the user's or the project's config. The default is the config that mcpmux uses in this folder. */
  readonly scope?: 'user' | 'project';
  /** Allows a project's config. The default comes from the environment variable MCPMUX_PROJECT_CONFIG. */
  readonly projectConfig?: boolean;
  /** Uses only the servers of this profile. */
  readonly profile?: string;
}

/** Flags of a command that writes a config. */
export interface WriteFlags extends ConfigFlags {
  readonly dryRun?: boolean;
}

/** A parsed config file, with access to its entries as written. */
export interface ParsedConfig {
  readonly reading: ConfigReading;
  /** Returns the object at a path, or an empty object if the path does not lead to an object. */
  readonly valueOf: (path: readonly (string | number)[]) => JsonObject;
}

/** Searches for the config that these flags select. */
export function findSelectedConfig(context: CommandContext, flags: ConfigFlags): ConfigFound {
  const found = findConfig(configSearch(context, flags));
  const isOtherScope =
    found.kind === 'found' && flags.scope !== undefined && found.location.origin !== flags.scope;
  return isOtherScope ? { kind: 'none' } : found;
}

/** Returns the config to read, or undefined if the search finds none. */
export function configToRead(context: CommandContext, flags: ConfigFlags): ConfigLocation | undefined {
  const found = findSelectedConfig(context, flags);
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
 * Returns the config to write. This is the config that a command with the same flags would read. If there is none, this
 * is the project's default file with `--scope project`, otherwise the user's.
 *
 * @throws CommandError CONFIG_OF_ANOTHER_USER if the project's config belongs to another user
 */
export function configToWrite(context: CommandContext, flags: ConfigFlags): ConfigLocation {
  const { cwd } = context;
  const file = flags.config ?? flags.catalog;
  if (file !== undefined) return { file: resolve(cwd, file), origin: 'flag', folder: cwd };
  if (flags.scope === 'project') return configToRead(context, flags) ?? projectConfigOf(context);
  const userConfig = searchOrder({ ...configSearch(context, {}), environment: withoutConfig(context) }).at(
    -1,
  );
  const location = flags.scope === 'user' ? userConfig : (configOrUndefined(context, flags) ?? userConfig);
  if (location === undefined) throw new TypeError('the search order is empty');
  return location;
}

/** Returns the location of the project config in the working directory. */
export function projectConfigOf({ cwd }: CommandContext): ConfigLocation {
  return { file: join(cwd, 'mcpmux.json'), origin: 'project', folder: cwd };
}

/** Returns the flags that make another command select this config, with a leading space. Empty if none are needed. */
export function flagsForConfig(context: CommandContext, { file, origin }: ConfigLocation): string {
  if (configOrUndefined(context, {})?.file === file) return '';
  return origin === 'project' || origin === 'user' ? ` --scope ${origin}` : ` --config ${shellWord(file)}`;
}

/** Formats these config flags for use with another command, with a leading space. Empty if none are set. */
export function configFlagsText({ config, catalog, scope, profile }: ConfigFlags): string {
  const file = config ?? catalog;
  const profileFlag = profile === undefined ? '' : ` --profile ${shellWord(profile)}`;
  if (file !== undefined) return ` --config ${shellWord(file)}${profileFlag}`;
  return `${scope === undefined ? '' : ` --scope ${scope}`}${profileFlag}`;
}

/** Returns the text of a config file, or an empty string if the file does not exist. */
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
 * Reads the entries of a config, including unusable entries.
 *
 * @throws CommandError CONFIG_INVALID with the problems and their positions if no part of the config can be used
 */
export function configServers({ file }: ConfigLocation, text: string): ParsedConfig {
  const source = text.trim() === '' ? '{}' : text;
  const reading = readConfig(file, source);
  if (!reading.isUsable) throw configInvalidError(file, reading.problems);
  const { value } = parseConfigText(file, source);
  return {
    reading,
    valueOf: (path) => {
      const entry = valueAt(value, path.map(String));
      return isObject(entry) ? entry : {};
    },
  };
}

/** Returns the error for an unusable config. */
export function configInvalidError(file: string, problems: readonly ConfigProblem[]): CommandError {
  return new CommandError('CONFIG_INVALID', `the config ${file} cannot be used.`, {
    details: problems.map(formatProblem),
    next: 'correct the config, then: mcpmux config validate',
  });
}

/** Returns the path of the project config that only `--project-config` would select, or undefined if there is none. */
export function unusedProjectConfig(context: CommandContext, flags: ConfigFlags): string | undefined {
  const search = configSearch(context, flags);
  if (search.projects !== false || flags.scope !== undefined || search.flag !== undefined) return undefined;
  const found = findConfig({ ...search, projects: true });
  return found.kind === 'found' && found.location.origin === 'project' ? found.location.file : undefined;
}

/** Returns the config that mcpmux uses without flags other than `--project-config`, or undefined if there is none. */
export function configOrUndefined(
  context: CommandContext,
  { projectConfig }: ConfigFlags,
): ConfigLocation | undefined {
  const found = findConfig(configSearch(context, projectConfig === undefined ? {} : { projectConfig }));
  return found.kind === 'found' || found.kind === 'missing' ? found.location : undefined;
}

/** Returns the search parameters for the config that these flags select. */
export function configSearch(
  context: CommandContext,
  { config, catalog, scope, projectConfig }: ConfigFlags,
): ConfigSearch {
  const { cwd, home, platform } = context;
  const environment = scope === undefined ? context.environment : withoutConfig(context);
  const projects = scope === undefined ? countsProjects(projectConfig, environment) : scope === 'project';
  return { cwd, home, platform, environment, flag: config ?? catalog, projects };
}

/** Returns the environment without MCPMUX_CONFIG, which would select a config. */
export function withoutConfig({ environment }: CommandContext): CommandContext['environment'] {
  return { ...environment, MCPMUX_CONFIG: undefined };
}
