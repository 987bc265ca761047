import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { isObject, valueAt, type JsonObject } from '@mcpmux/clients';

import {
  countsProjects,
  findConfig,
  searchOrder,
  type ConfigLocation,
  type ConfigSearch,
} from '../config/find-config.js';
import { readConfig, type ConfigReading } from '../config/read-config.js';
import { parseConfigText } from '../config/config-text.js';
import { formatProblem, type ConfigProblem } from '../config/config-problem.js';
import type { CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';

/** Flags that choose a config file. */
export interface ConfigFlags {
  /** Read only. */
  readonly config?: string;
  /** Read and written. */
  readonly catalog?: string;
  readonly scope?: 'user' | 'project';
  /** Uses the config of a project. When absent, the variable MCPMUX_PROJECT_CONFIG decides. */
  readonly projectConfig?: boolean;
}

/** Flags of a command that writes a config. */
export interface WriteFlags extends ConfigFlags {
  readonly dryRun?: boolean;
}

/** The servers of a file, as written. */
export interface ConfigServers {
  readonly reading: ConfigReading;
  /** The value of an entry. */
  readonly valueOf: (path: readonly (string | number)[]) => JsonObject;
}

/** The config that is read; undefined when no file was found and none was named. */
export function configToRead(context: CommandContext, flags: ConfigFlags): ConfigLocation | undefined {
  const found = findConfig(searchFor(context, flags));
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
 * The config that is written: that of `--catalog`, of `--scope`, the one that is read, or the user's.
 *
 * @throws CommandError CONFIG_READ_ONLY with `--config`
 */
export function configToWrite(context: CommandContext, flags: ConfigFlags): ConfigLocation {
  const { cwd } = context;
  if (flags.config !== undefined) {
    throw new CommandError('CONFIG_READ_ONLY', 'mcpmux does not write the file of --config.', {
      next: 'name the file to write with --catalog.',
    });
  }
  if (flags.catalog !== undefined) return { file: resolve(cwd, flags.catalog), origin: 'flag', folder: cwd };
  if (flags.scope === 'project') {
    return { file: join(cwd, 'mcpmux.json'), origin: 'project', folder: cwd };
  }
  const user = searchOrder({ ...searchFor(context, {}), environment: withoutNamed(context) }).at(-1);
  const location = flags.scope === 'user' ? user : (configOrNone(context, flags) ?? user);
  if (location === undefined) throw new TypeError('the search order is empty');
  return location;
}

/** The text of a config; empty when the file does not exist yet. */
export function configTextOf({ file }: ConfigLocation): string {
  if (!existsSync(file)) return '';
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CommandError('CONFIG_UNREADABLE', `${file} cannot be read.`, {
      next: 'check that it is a file and that its permissions allow it.',
    });
  }
}

/**
 * Reads the entries of a config, usable or not.
 *
 * @throws CommandError CONFIG_INVALID with the position when nothing of it can be used
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

/** Nothing of a config can be used. */
export function configInvalid(file: string, problems: readonly ConfigProblem[]): CommandError {
  return new CommandError('CONFIG_INVALID', `the config ${file} cannot be used.`, {
    details: problems.map(formatProblem),
    next: 'correct the config, then: mcpmux config validate',
  });
}

/** The config of a project that `--project-config` would use. */
export function unusedProjectConfig(context: CommandContext, flags: ConfigFlags): string | undefined {
  const search = searchFor(context, flags);
  if (search.projects === true) return undefined;
  const found = findConfig({ ...search, projects: true });
  return found.kind === 'found' && found.location.origin === 'project' ? found.location.file : undefined;
}

/** The config that mcpmux would use; undefined when there is none. */
export function configOrNone(
  context: CommandContext,
  { projectConfig }: ConfigFlags,
): ConfigLocation | undefined {
  const found = findConfig(searchFor(context, { ...(projectConfig !== undefined && { projectConfig }) }));
  return found.kind === 'found' || found.kind === 'missing' ? found.location : undefined;
}

function searchFor(context: CommandContext, { config, catalog, projectConfig }: ConfigFlags): ConfigSearch {
  const { cwd, home, platform, environment } = context;
  const projects = countsProjects(projectConfig, environment);
  return { cwd, home, platform, environment, flag: config ?? catalog, projects };
}

/** The environment without the config that it names. */
export function withoutNamed({ environment }: CommandContext): CommandContext['environment'] {
  return { ...environment, MCPMUX_CONFIG: undefined };
}
