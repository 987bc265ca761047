import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { formatProblem } from './config-problem.js';
import { configJsonSchema } from './config-json-schema.js';
import { findConfig, searchOrder, type ConfigFound, type ConfigSearch } from './find-config.js';
import { loadConfig, type LoadedConfig } from './load-config.js';
import { thisProcess } from './this-process.js';

/** Flags of `mcpmux config path` and `mcpmux config validate`. */
export interface ConfigFlags {
  readonly config?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Prints the path of the config. Returns the exit code. */
export function printConfigPath(flags: ConfigFlags): number {
  const search = searchFor(flags);
  const found = findConfig(search);
  if (found.kind !== 'found') return reportNone(found, search, flags);
  const { file, origin } = found.location;
  print(flags.json === true ? toJson({ path: file, origin }) : file);
  return ExitCode.Ok;
}

/** Checks the config. Problems go to stderr, or with `--json` to stdout as data. Returns the exit code. */
export function validateConfig(flags: ConfigFlags): number {
  const search = searchFor(flags);
  const found = findConfig(search);
  if (found.kind !== 'found') return reportNone(found, search, flags);
  const loaded = loadConfig(found.location, thisProcess());
  const isValid = loaded.problems.every(({ severity }) => severity !== 'error');
  if (flags.json === true) print(toJson(report(loaded, isValid)));
  else {
    const end = flags.quiet === true ? [] : [summary(loaded, isValid)];
    for (const line of [...loaded.problems.map(formatProblem), ...end]) tell(line);
  }
  return isValid ? ExitCode.Ok : ExitCode.Usage;
}

/** Prints the JSON Schema. Returns the exit code. */
export function printConfigSchema(): number {
  print(toJson(configJsonSchema()));
  return ExitCode.Ok;
}

function searchFor({ config }: ConfigFlags): ConfigSearch {
  return { ...thisProcess(), flag: config };
}

/** Commands, arguments and values stay out: a report may be pasted anywhere. */
function report({ file, servers, problems }: LoadedConfig, isValid: boolean): object {
  return { file, valid: isValid, servers: servers.map(({ name, status }) => ({ name, status })), problems };
}

function summary({ file, servers }: LoadedConfig, isValid: boolean): string {
  const ready = servers.filter(({ status }) => status === 'ready').length;
  return `${file}: ${isValid ? 'valid' : 'not valid'}, ${ready} of ${servers.length} servers can start`;
}

function reportNone(
  found: Exclude<ConfigFound, { readonly kind: 'found' }>,
  search: ConfigSearch,
  { json }: ConfigFlags,
): number {
  const { code, message, next, exitCode } = noneOf(found);
  const searched = searchOrder(search).map(({ file }) => file);
  if (json === true) tell(JSON.stringify({ error: { code, message, next, searched } }));
  else tell([`mcpmux: ${message} ${next}`, 'Looked for:', ...searched.map((file) => `  ${file}`)].join('\n'));
  return exitCode;
}

function noneOf(found: Exclude<ConfigFound, { readonly kind: 'found' }>): {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly exitCode: number;
} {
  switch (found.kind) {
    case 'none':
      return {
        code: 'CONFIG_NOT_FOUND',
        message: 'There is no config file; mcpmux then starts without servers.',
        next: 'To have one, write { "mcpServers": {} } to one of these files.',
        exitCode: ExitCode.NotFound,
      };
    case 'missing':
      return {
        code: 'CONFIG_NOT_FOUND',
        message: `There is no file ${found.location.file}.`,
        next: 'Check the path.',
        exitCode: ExitCode.NotFound,
      };
    case 'foreign':
      return {
        code: 'CONFIG_OF_ANOTHER_USER',
        message: `The config ${found.location.file} belongs to another user and is not used.`,
        next: 'Name it with --config to use it.',
        exitCode: ExitCode.Usage,
      };
  }
}

function toJson(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

/** stdout is data. */
function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** stderr is for people. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
