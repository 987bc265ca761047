import process from 'node:process';

import { type ConfigFound, type ConfigLocation, countsProjects, findConfig } from '@mcpmux/config/find';

import { thisProcess } from '../config/this-process.js';
import { refuseStart, type StartRefusal } from './refused.js';
import { ensureCatalog } from './serve-config.js';
import type { ServeOptions } from './serve-options.js';
import { writeStderr } from '../base/terminal-output.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import type { CommandFailure } from '../terminal/command-error.js';

/** The result of a config search, unless the user named a config file that does not exist. */
export type UsableConfigFound = Exclude<ConfigFound, { readonly kind: 'missing' }>;

/** Finds the config to serve, or returns the exit code if the process must end. */
export async function findServedConfig(options: ServeOptions): Promise<UsableConfigFound | StartRefusal> {
  const failure = options.catalog === undefined ? undefined : await ensureCatalog(options.catalog);
  if (failure !== undefined) return { exitCode: await reportFailure(failure) };
  const found = findConfig({
    ...thisProcess(),
    flag: options.catalog ?? options.config,
    projects: countsProjects(options.projectConfig, process.env),
  });
  return found.kind === 'missing' ? reportMissingConfig(found.location) : found;
}

async function reportFailure(failure: CommandFailure): Promise<number> {
  const { formatFailure } = await import('../terminal/command-error.js');
  writeStderr(formatFailure(failure, false));
  return failure.exitCode;
}

function reportMissingConfig({ file, origin }: ConfigLocation): StartRefusal {
  const source = origin === 'flag' ? '--config' : 'MCPMUX_CONFIG';
  return refuseStart([`the file ${file} of ${source} does not exist. Check the path.`]);
}

/** Warns that mcpmux does not use another user's config. */
export function warnOfForeignConfig({ file }: ConfigLocation, logger: StderrLogger): void {
  logger.log('warn', 'a config of another user is not used; to use the file, name it with --config', {
    config: file,
  });
}

/** The result of a reload without a config. */
export const NO_CONFIG_CHANGE = {
  isUsable: false,
  added: [],
  removed: [],
  changed: [],
  problems: ['there is no config'],
};
