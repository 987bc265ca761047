import { parsedJson } from '@mcpmux/core';
import { isObject, valueAt, type JsonObject } from '@mcpmux/clients';
import { formatPath, parseConfigText } from '@mcpmux/config';
import { ExitCode } from '../base/exit-code.js';
import { redactEntry } from '../redact/entry.js';
import { secretsWarning } from '../redact/literal-secrets.js';
import { printResult, printNote, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import { applyChange, exitCodeOfRows, UNAPPLIED, type ChangeFlags } from './apply-change.js';
import { configTextOf, configToRead, type ConfigFlags } from '../config/config-choice.js';
import { parseConfigPath, type ConfigPath } from '../edit/config-path.js';
import { withValueAt } from '../edit/set-value.js';
import { editConfig } from '../edit/write-config.js';
import { configValue, flagsForServers, locationWithProject } from './config-holder.js';

const SERVER_LIST_KEYS: ReadonlySet<unknown> = new Set(['mcpServers', 'servers']);

/** Prints the whole config, or the value at a path, with secret values redacted. */
export const getConfigValue: Action<ConfigFlags, number> = (context, [path], flags) => {
  const location = configToRead(context, flags);
  if (location === undefined)
    throw new CommandError('CONFIG_NOT_FOUND', 'there is no config file.', { next: 'mcpmux init' });
  const { syntaxErrors } = parseConfigText(location.file, configTextOf(location));
  const { value, projectServers } = configValue(location);
  if (!isObject(value) || syntaxErrors.length > 0)
    throw new CommandError('CONFIG_INVALID', `${location.file} cannot be read.`, {
      next: 'mcpmux config validate',
    });
  const shown = redactConfig(value);
  const found: unknown = path === undefined ? shown : parsePath(path).reduce(memberOf, shown);
  if (found === undefined)
    throw new CommandError('NOT_FOUND', `${location.file} has no value at ${path ?? ''}.`, {
      exitCode: ExitCode.NotFound,
      next: 'mcpmux config get prints the whole config',
    });
  printResult(context, found, typeof found === 'string' ? found : JSON.stringify(found, undefined, 2));
  const { project } = location;
  if (project !== undefined && projectServers.length > 0)
    printNote(context, `From ${project.file}: ${projectServers.join(', ')}\nAll else from ${location.file}`);
  return ExitCode.Ok;
};

/** Sets the value at a path, parsed as JSON if possible. Rejects a value that would add errors to the config. */
export const setConfigValue: Action<ChangeFlags> = (context, [path = '', value = ''], flags) =>
  changeValue(context, path, parseJsonOrText(value), flags);

/** Removes the value at a path. */
export const unsetConfigValue: Action<ChangeFlags> = (context, [path = ''], flags) =>
  changeValue(context, path, undefined, flags);

async function changeValue(
  context: CommandContext,
  pathText: string,
  value: unknown,
  flags: ChangeFlags,
): Promise<number> {
  const path = parsePath(pathText);
  if (path.some((part) => typeof part === 'number'))
    throw usageError(
      'the elements of a list are not written one by one.',
      `mcpmux config set LIST '["a","b"]'`,
    );
  const [list, server] = path;
  const isOfServer = SERVER_LIST_KEYS.has(list) && server !== undefined;
  const merged = locationWithProject(context, flags);
  const edits = isOfServer ? flagsForServers(context, flags, [String(server)]) : flags;
  const { location, file, written } = await editConfig(context, edits, (config) =>
    withValueAt(config, path, value),
  );
  if (written)
    printNote(context, `${value === undefined ? 'Removed' : 'Set'} ${formatPath(path)} in ${file}`);
  else if (flags.dryRun !== true) printNote(context, `${formatPath(path)}: nothing to change in ${file}`);
  if (written && isOfServer) warnAboutSecrets(context, location.file, configTextOf(location), path);
  const names = isOfServer && value !== undefined ? [String(server)] : [];
  const applied = written ? await applyChange(context, merged ?? location, names, flags) : UNAPPLIED;
  printResult(context, { path: formatPath(path), file, written, ...applied });
  return exitCodeOfRows(applied.servers);
}

function warnAboutSecrets(
  context: CommandContext,
  file: string,
  configText: string,
  [list, server]: ConfigPath,
): void {
  const { value } = parseConfigText(file, configText);
  const entry = isObject(value) ? valueAt(value, [String(list), String(server)]) : undefined;
  if (isObject(entry)) printNote(context, secretsWarning(String(server), entry) ?? '');
}

function redactConfig(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      SERVER_LIST_KEYS.has(key) && isObject(value) ? redactServers(value) : value,
    ]),
  );
}

function redactServers(servers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => [name, isObject(entry) ? redactEntry(entry) : '***']),
  );
}

function parsePath(text: string): ConfigPath {
  const path = parseConfigPath(text);
  if (path !== undefined) return path;
  throw usageError(
    `"${text}" is no place in a config.`,
    'write it as mcpServers.NAME.mux.lazy, or mcpServers["a.b"].args[0]',
  );
}

function memberOf(value: unknown, key: string | number): unknown {
  if (typeof key === 'number') return Array.isArray(value) ? value[key] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function parseJsonOrText(text: string): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}
