import type { JsonObject } from '@mcpmux/clients';
import { isServerName } from '@mcpmux/namespace';

import { jsonObject } from '../base/json-object.js';
import { serverSchema } from '../config/config-schema.js';
import { ExitCode } from '../base/exit-code.js';
import { printResult, tell, type Action } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import type { WriteFlags } from './config-choice.js';
import { packageSource } from './package-source.js';
import { editConfig, editedConfig } from './write-config.js';

/** Flags of `mcpmux add`. */
export interface AddFlags extends WriteFlags {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly cwd?: string;
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly protocol?: 'auto' | 'legacy' | 'modern';
  readonly from?: string;
  readonly force?: boolean;
}

/** Adds a server to the config. */
export const add: Action<AddFlags> = async (context, words, flags) => {
  const { name, entry } = withProtocol(newEntry(words, flags), flags);
  checkName(name);
  checkEntry(name, entry);
  const { file, written } = await editConfig(context, flags, (config) => {
    const existing = config.reading.entries.find((candidate) => candidate.name === name);
    if (existing !== undefined && flags.force !== true) throw exists(name, config.file);
    return editedConfig(config.file, config.text, existing?.path ?? ['mcpServers', name], entry);
  });
  if (written) tell(context, `Added ${name} to ${file}\nNext: mcpmux tools ${name}`);
  if (context.flags.json === true) printResult(context, { name, file, written }, '');
  return ExitCode.Ok;
};

/** The settings that only mcpmux has stand under a key of their own. */
function withProtocol(named: NamedEntry, { protocol }: AddFlags): NamedEntry {
  return protocol === undefined ? named : { ...named, entry: { ...named.entry, mux: { protocol } } };
}

/** The name and the entry of a server. */
interface NamedEntry {
  readonly name: string;
  readonly entry: JsonObject;
}

function newEntry(words: readonly string[], flags: AddFlags): NamedEntry {
  const [first = '', ...rest] = words;
  if (flags.from !== undefined) return { name: first, entry: fromJson(flags.from, rest, flags) };
  const source = rest.length === 0 ? packageSource(first) : undefined;
  if (source !== undefined) return { name: source.name, entry: withDetails(source.entry, flags) };
  const [target] = rest;
  if (target === undefined) {
    throw usage(
      `the command or url of "${first}" is missing.`,
      `mcpmux add ${first} -- COMMAND ARGUMENTS, or: mcpmux add ${first} URL`,
    );
  }
  const packaged = rest.length === 1 ? packageSource(target) : undefined;
  if (packaged !== undefined) return { name: first, entry: withDetails(packaged.entry, flags) };
  if (/^https?:\/\//.test(target)) return { name: first, entry: remote(target, rest, flags) };
  const [command, ...args] = rest;
  return { name: first, entry: withDetails({ command, ...(args.length > 0 && { args }) }, flags) };
}

function remote(
  url: string,
  rest: readonly string[],
  { env = [], cwd, header = [], transport, protocol }: AddFlags,
): JsonObject {
  if (rest.length > 1)
    throw usage(`"${rest[1]}" after the url is one argument too many.`, 'mcpmux add NAME URL');
  if (env.length > 0 || cwd !== undefined)
    throw usage(
      '--env and --cwd are for programs: a server at a url has neither.',
      'pass headers with -H "Name: value"',
    );
  if (transport === 'stdio')
    throw usage('a server at a url cannot use stdio.', 'leave --transport out, or pass http or sse');
  if (transport === 'sse' && protocol === 'modern')
    throw usage(
      'the SSE transport is of 2024-11-05, and has no protocol modern.',
      'leave one of the two out',
    );
  const headers = Object.fromEntries(header.map((text) => pair(text, ':', '-H "Name: value"')));
  return { type: transport === 'sse' ? 'sse' : 'http', url, ...(header.length > 0 && { headers }) };
}

function withDetails(
  entry: JsonObject,
  { env = [], cwd, header = [], transport = 'stdio' }: AddFlags,
): JsonObject {
  if (transport !== 'stdio')
    throw usage(`--transport ${transport} is for servers at a url.`, 'leave --transport out');
  if (header.length > 0)
    throw usage('--header is for servers at a url.', 'pass variables with -e NAME=value');
  const variables = Object.fromEntries(env.map((text) => pair(text, '=', '-e NAME=value')));
  return { ...entry, ...(env.length > 0 && { env: variables }), ...(cwd !== undefined && { cwd }) };
}

/** The error does not repeat the text, which may hold a secret. */
function pair(text: string, separator: string, example: string): readonly [string, string] {
  const at = text.indexOf(separator);
  if (at < 1) throw usage(`a value has no "${separator}" after its name.`, example);
  return [text.slice(0, at).trim(), text.slice(at + 1).trimStart()];
}

function fromJson(
  text: string,
  rest: readonly string[],
  { env, header, cwd, transport, protocol }: AddFlags,
): JsonObject {
  if (rest.length > 0 || [env, header, cwd, transport, protocol].some((flag) => flag !== undefined))
    throw usage('--from holds the whole entry: leave other options of the server out.', FROM_EXAMPLE);
  const entry = jsonObject(text);
  if (entry === undefined) throw usage('the value of --from is not a JSON object.', FROM_EXAMPLE);
  return entry;
}

const FROM_EXAMPLE = `mcpmux add NAME --from '{"command":"npx","args":["-y","package"]}'`;

function checkName(name: string): void {
  if (isServerName(name)) return;
  throw usage(
    `"${name}" is no server name: a name has no "__", no control characters and no "_" at its end, and is not empty or too long.`,
    'choose another name, such as my-server',
  );
}

function checkEntry(name: string, entry: JsonObject): void {
  const { error } = serverSchema.safeParse(entry);
  if (error === undefined) return;
  const details = error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  throw new CommandError('INVALID_SERVER', `the entry of "${name}" is invalid; nothing was written.`, {
    details,
  });
}

function exists(name: string, file: string): CommandError {
  return new CommandError('SERVER_EXISTS', `${file} already has a server "${name}"; nothing was written.`, {
    next: 'choose another name, or replace it with --force',
  });
}
