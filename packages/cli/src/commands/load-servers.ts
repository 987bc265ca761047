import { formatProblem, loadConfig, type LoadedConfig, wantedServers } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { ExitCode } from '../base/exit-code.js';
import { folderContext } from '../live/instance-folder.js';
import { instanceServing } from '../live/instances.js';
import { printNote, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import {
  configInvalidError,
  configToRead,
  unusedProjectConfig,
  type ConfigFlags,
} from '../config/config-choice.js';
import { serverNotFoundError } from '../config/named-server.js';

/**
 * Loads the config for a command that starts servers.
 *
 * @throws CommandError CONFIG_NOT_FOUND, CONFIG_INVALID, PROFILE_NOT_FOUND
 */
export function loadServers(
  context: CommandContext,
  flags: ConfigFlags,
): { readonly location: ConfigLocation; readonly config: LoadedConfig } {
  const location = configToRead(context, flags);
  const unused = unusedProjectConfig(context, flags);
  if (location === undefined) throw configNotFound(unused);
  if (unused !== undefined) printNote(context, `${unused} is not used: ${PROJECT_CONFIG_HINT}`);
  const config = loadConfig(location, context);
  if (config.isUsable) return { location, config: restrictToProfile(context, config, flags) };
  throw configInvalidError(config.file, config.problems);
}

/**
 * Returns the config with only the selected profile's servers, or with all servers if no profile is selected.
 *
 * @throws CommandError PROFILE_NOT_FOUND
 */
export function restrictToProfile(
  context: CommandContext,
  config: LoadedConfig,
  { profile }: ConfigFlags,
): LoadedConfig {
  const { servers, refusal, warnings } = wantedServers(config, { profile });
  if (refusal !== undefined)
    throw new CommandError('PROFILE_NOT_FOUND', refusal, { exitCode: ExitCode.NotFound });
  for (const warning of warnings) printNote(context, warning);
  return { ...config, servers };
}

/**
 * Loads the config for a command that may query a running mcpmux. If the config has become invalid but a running mcpmux
 * still serves it, returns it without servers.
 *
 * @throws CommandError CONFIG_NOT_FOUND, PROFILE_NOT_FOUND, or CONFIG_INVALID if no running mcpmux serves the config
 */
export function loadServedConfig(context: CommandContext, flags: ConfigFlags): LoadedConfig {
  try {
    return loadServers(context, flags).config;
  } catch (error) {
    if (error instanceof CommandError && error.failure.code === 'PROFILE_NOT_FOUND') throw error;
    const location = configToRead(context, flags);
    if (location === undefined || instanceServing(location.file, folderContext()) === undefined) throw error;
    const config = loadConfig(location, context);
    for (const line of [error, ...config.problems.map(formatProblem)])
      printNote(
        context,
        line instanceof Error
          ? `${line.message} The running mcpmux has the servers from before.`
          : String(line),
      );
    return { ...config, servers: [] };
  }
}

/**
 * Checks that the config contains a server.
 *
 * @throws CommandError SERVER_NOT_FOUND
 */
export function requireServer({ servers, file }: LoadedConfig, name: string): void {
  if (servers.some((server) => server.name === name)) return;
  throw serverNotFoundError(name, servers, `in ${file}`);
}

/** Returns the errors, but not the warnings, about one server. */
export function serverErrors({ problems }: LoadedConfig, name: string): readonly string[] {
  return problems
    .filter(({ path, severity }) => severity === 'error' && isServerPath(path, name))
    .map(({ message, line, column }) => `${message} (line ${line}, column ${column})`);
}

function isServerPath(path: string, name: string): boolean {
  return ['mcpServers', 'servers'].some((list) =>
    [`${list}.${name}`, `${list}[${JSON.stringify(name)}]`].some(
      (own) => path === own || path.startsWith(`${own}.`) || path.startsWith(`${own}[`),
    ),
  );
}

const PROJECT_CONFIG_HINT = 'a project config starts programs, so commands use it only with --scope project';

function configNotFound(unused: string | undefined): CommandError {
  return new CommandError('CONFIG_NOT_FOUND', 'there is no config file.', {
    ...(unused !== undefined && { details: [`${unused} is not used: ${PROJECT_CONFIG_HINT}`] }),
    next: 'create one with: mcpmux init (mcpmux config path --json lists the places that are searched)',
  });
}
