import { formatProblem, loadConfig, type LoadedConfig } from '@mcpmux/config';
import { type ConfigFound, type ConfigLocation, type ConfigSearch, searchOrder } from '@mcpmux/config/find';

import { configJsonSchema } from '../config/config-json-schema.js';
import { unmatchedFiltersInConfig } from '../config/unmatched-filters.js';
import { ExitCode } from '../base/exit-code.js';
import { printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import {
  configSearch,
  configServers,
  configTextOf,
  findSelectedConfig,
  unusedProjectConfig,
  type ConfigFlags,
} from '../config/config-choice.js';

const PROJECT_CONFIG_HINT = 'mcpmux uses it only with --scope project, and serve with --project-config';

/** Prints the path of the config. Returns the exit code. */
export const printConfigPath: Action<ConfigFlags, number> = (context, _, flags) => {
  const lookup = findSelectedConfig(context, flags);
  if (lookup.kind !== 'found') return reportNotFound(context, lookup, configSearch(context, flags));
  const { file, origin } = lookup.location;
  const unused = unusedProjectConfig(context, flags);
  if (unused !== undefined)
    printNote(context, `${unused} is the config of this project: ${PROJECT_CONFIG_HINT}`);
  if (context.flags.json === true) context.streams.out(toJson({ path: file, origin }));
  else context.streams.data(`${file}\n`);
  return ExitCode.Ok;
};

/** Validates the config. Prints problems to stderr, or with `--json` as JSON to stdout. Returns the exit code. */
export const validateConfig: Action<ConfigFlags, number> = (context, _, flags) => {
  const lookup = findSelectedConfig(context, flags);
  if (lookup.kind !== 'found') return reportNotFound(context, lookup, configSearch(context, flags));
  const config = withFilterWarnings(context, lookup.location, loadConfig(lookup.location, context));
  const isValid = config.problems.every(({ severity }) => severity !== 'error');
  if (context.flags.json === true) context.streams.out(toJson(publicReport(config, isValid)));
  else {
    const lastLine = context.flags.quiet === true ? [] : [summary(config, isValid)];
    for (const line of [...config.problems.map(formatProblem), ...lastLine]) context.streams.err(`${line}\n`);
  }
  return isValid ? ExitCode.Ok : ExitCode.Usage;
};

/** Adds warnings about tool filters that did not match any tool in their server's last run. */
function withFilterWarnings(
  context: CommandContext,
  location: ConfigLocation,
  config: LoadedConfig,
): LoadedConfig {
  const unmatched = config.isUsable ? unmatchedFiltersInConfig(config, context) : [];
  if (unmatched.length === 0) return config;
  const { entries, report } = configServers(location, configTextOf(location)).reading;
  const warnings = unmatched.flatMap(({ name, message }) => {
    const entry = entries.find((candidate) => candidate.name === name);
    return entry === undefined ? [] : [report('warning', entry.path, message)];
  });
  return { ...config, problems: [...config.problems, ...warnings] };
}

/** Prints the config's JSON Schema. Returns the exit code. */
export function printConfigSchema({ streams }: CommandContext): number {
  streams.out(toJson(configJsonSchema()));
  return ExitCode.Ok;
}

/** Omits commands, arguments and values, because users may post the output publicly. */
function publicReport({ file, servers, problems }: LoadedConfig, isValid: boolean): object {
  return { file, valid: isValid, servers: servers.map(({ name, status }) => ({ name, status })), problems };
}

function summary({ file, servers, isUsable }: LoadedConfig, isValid: boolean): string {
  if (!isUsable) return `${file}: not valid, and mcpmux uses nothing of it`;
  const ready = servers.filter(({ status }) => status === 'ready').length;
  const disabled = servers.filter(({ status }) => status === 'disabled').length;
  const disabledText = disabled === 0 ? '' : `, ${disabled} ${disabled === 1 ? 'is' : 'are'} disabled`;
  return `${file}: ${isValid ? 'valid' : 'not valid'}, ${ready} of ${servers.length} servers can start${disabledText}`;
}

function reportNotFound(
  { flags, streams }: CommandContext,
  lookup: ConfigNotFound,
  search: ConfigSearch,
): number {
  const [message, next] = messageAndNextStep(lookup);
  const isForeign = lookup.kind === 'foreign';
  const searched = searchOrder(search).map(({ file }) => file);
  const code = isForeign ? 'CONFIG_OF_ANOTHER_USER' : 'CONFIG_NOT_FOUND';
  if (flags.json === true) streams.err(`${JSON.stringify({ error: { code, message, next, searched } })}\n`);
  else
    streams.err(`mcpmux: ${message} ${next}\nLooked for:\n${searched.map((file) => `  ${file}\n`).join('')}`);
  return isForeign ? ExitCode.Usage : ExitCode.NotFound;
}

type ConfigNotFound = Exclude<ConfigFound, { readonly kind: 'found' }>;

function messageAndNextStep(lookup: ConfigNotFound): readonly [message: string, next: string] {
  if (lookup.kind === 'missing') return [`There is no file ${lookup.location.file}.`, 'Check the path.'];
  if (lookup.kind === 'foreign') {
    const { file } = lookup.location;
    const message = `The config ${file} belongs to another user and is not used.`;
    return [message, 'To use the file, name it with --config.'];
  }
  const message = 'There is no config file: mcpmux starts without servers.';
  return [message, 'To make one, run mcpmux init, or write { "mcpServers": {} } to one of these files.'];
}

function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
