import { existsSync } from 'node:fs';

import type { JsonObject } from '@mcpmux/clients';

import { parseJsonObject } from '../../base/json-object.js';
import { usageError } from '../../terminal/command-error.js';
import { packageSource } from './package-source.js';
import { isUrl, serverNameFromUrl } from '../../config/url-config.js';

/** Flags of `mcpmux add` that determine the entry. */
export interface EntryFlags {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly cwd?: string;
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly protocol?: 'auto' | 'legacy' | 'modern';
  readonly from?: string;
}

/** The name and the entry of a server. */
export interface NamedEntry {
  readonly name: string;
  readonly entry: JsonObject;
}

/**
 * Returns the name and the entry of the server that a command line describes. Puts settings that only mcpmux supports
 * under the key `mux`.
 *
 * @throws CommandError USAGE
 */
export function serverOfCommandLine(words: readonly string[], flags: EntryFlags): NamedEntry {
  const named = parseEntry(words, flags);
  const { protocol } = flags;
  return protocol === undefined ? named : { ...named, entry: { ...named.entry, mux: { protocol } } };
}

function parseEntry([first = '', ...rest]: readonly string[], flags: EntryFlags): NamedEntry {
  if (flags.from !== undefined) return { name: first, entry: entryFromJson(flags.from, rest, flags) };
  const derived = serverOfSource(first, rest, flags);
  if (derived !== undefined) return derived;
  const [target, ...args] = rest;
  if (target === undefined) {
    throw usageError(
      `the command or url of "${first}" is missing.`,
      `mcpmux add ${first} -- COMMAND ARGUMENTS, or: mcpmux add ${first} URL`,
    );
  }
  const entry =
    serverOfSource(target, args, flags)?.entry ??
    withProcessOptions({ command: target, ...(args.length > 0 && { args }) }, flags);
  return { name: first, entry };
}

/** Returns the server for a package or a URL, with a derived name, or undefined for other text. */
function serverOfSource(text: string, args: readonly string[], flags: EntryFlags): NamedEntry | undefined {
  const source = packageSource(text, args);
  if (source !== undefined) return { ...source, entry: withProcessOptions(source.entry, flags) };
  if (isUrl(text)) return { name: serverNameFromUrl(text), entry: remoteEntry(text, args, flags) };
  if (!isUrlWithoutScheme(text, args)) return undefined;
  const url = `https://${text}`;
  throw usageError(
    `"${text}" is neither a url nor a program.`,
    `for a server at a url, write the whole url: ${url}`,
  );
}

/** True for text like `example.com/mcp`, which is a URL without a scheme unless a file has this path. */
function isUrlWithoutScheme(text: string, args: readonly string[]): boolean {
  const isHost = /^(?:localhost:\d+|(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?)\/\S*$/i.test(text);
  return isHost && args.length === 0 && !existsSync(text);
}

function remoteEntry(
  url: string,
  extraArguments: readonly string[],
  { env = [], cwd, header = [], transport, protocol }: EntryFlags,
): JsonObject {
  if (extraArguments.length > 0)
    throw usageError(`"${extraArguments[0]}" after the url is one argument too many.`, 'mcpmux add NAME URL');
  if (env.length > 0 || cwd !== undefined)
    throw usageError(
      '--env and --cwd are for programs: a server at a url has neither.',
      'pass headers with -H "Name: value"',
    );
  if (transport === 'stdio')
    throw usageError('a server at a url cannot use stdio.', 'leave --transport out, or pass http or sse');
  if (transport === 'sse' && protocol === 'modern')
    throw usageError(
      'the SSE transport is of 2024-11-05, and has no protocol modern.',
      'leave one of the two out',
    );
  const headers = Object.fromEntries(header.map((text) => splitPair(text, ':', '-H "Name: value"')));
  return { type: transport === 'sse' ? 'sse' : 'http', url, ...(header.length > 0 && { headers }) };
}

function withProcessOptions(
  entry: JsonObject,
  { env = [], cwd, header = [], transport = 'stdio' }: EntryFlags,
): JsonObject {
  if (transport !== 'stdio')
    throw usageError(`--transport ${transport} is for servers at a url.`, 'leave --transport out');
  if (header.length > 0)
    throw usageError('--header is for servers at a url.', 'pass variables with -e NAME=value');
  const variables = Object.fromEntries(env.map((text) => splitPair(text, '=', '-e NAME=value')));
  return { ...entry, ...(env.length > 0 && { env: variables }), ...(cwd !== undefined && { cwd }) };
}

/** Splits text at the first separator. The error omits the text, which may contain a secret. */
function splitPair(text: string, separator: string, example: string): readonly [string, string] {
  const index = text.indexOf(separator);
  if (index < 1) throw usageError(`a value has no "${separator}" after its name.`, example);
  return [text.slice(0, index).trim(), text.slice(index + 1).trimStart()];
}

function entryFromJson(
  text: string,
  extraArguments: readonly string[],
  { env, header, cwd, transport, protocol }: EntryFlags,
): JsonObject {
  if (extraArguments.length > 0 || [env, header, cwd, transport, protocol].some((flag) => flag !== undefined))
    throw usageError('--from holds the whole entry: leave other options of the server out.', FROM_EXAMPLE);
  const entry = parseJsonObject(text);
  if (entry === undefined) throw usageError('the value of --from is not a JSON object.', FROM_EXAMPLE);
  return entry;
}

const FROM_EXAMPLE = `mcpmux add NAME --from '{"command":"npx","args":["-y","package"]}'`;
