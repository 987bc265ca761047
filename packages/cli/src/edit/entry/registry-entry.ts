import { messageOf } from '@mcpmux/core';
import { systemKeyring, type Keyring } from '@mcpmux/config';
import type { RegistryServer } from '../../registry/registry-server.js';
import { checkedValue } from '../../registry/input-value.js';
import { localName } from '../../registry/local-name.js';
import {
  secretReference,
  sourcesOf,
  type SourceInput,
  type UsableSource,
} from '../../registry/server-source.js';
import { usedRegistry } from '../../registry/used-registry.js';
import { printable } from '../../terminal/columns.js';
import { quoted } from '../../terminal/quoted.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { CommandError, usage } from '../../terminal/command-error.js';
import { askHidden, askText } from '../../terminal/prompt.js';
import type { EntryFlags, NamedEntry } from './new-entry.js';
import { askValue, questionOf } from './registry-question.js';
import { reading, staleNote, type RegistryFlags } from '../../registry/registry-reading.js';

const PREFIX = 'registry:';

/** Asks a person. Replaced in tests. */
export interface Asking {
  readonly text: (question: string) => Promise<string>;
  readonly hidden: (question: string) => Promise<string>;
  readonly keyring: Pick<Keyring, 'set'>;
  /**
   * Throws for a name that the server cannot get. Runs before a person is asked, and before a secret of that name is
   * replaced.
   */
  readonly checkName?: (name: string) => void;
}

/** Asks at the terminal. */
export const AT_TERMINAL: Asking = { text: askText, hidden: askHidden, keyring: systemKeyring };

/** Stores nothing, for a dry run. */
export const NO_KEYRING: Asking['keyring'] = { set: () => undefined };

/** True if a command line names a server of the registry, as `registry:NAME` or `NAME registry:NAME`. */
export function isOfRegistry([first = '', second = '']: readonly string[]): boolean {
  return first.startsWith(PREFIX) || second.startsWith(PREFIX);
}

/**
 * Returns the name and the entry of a server of the registry. At a terminal, asks for the values that the server needs.
 * Secrets are saved in the keyring. Without a terminal, the entry refers to environment variables.
 *
 * @throws CommandError
 */
export async function registryEntry(
  context: CommandContext,
  words: readonly string[],
  flags: EntryFlags & RegistryFlags & { readonly dryRun?: boolean },
  asking: Asking = AT_TERMINAL,
): Promise<NamedEntry> {
  const [first = '', second] = words;
  const wanted = (second ?? first).slice(PREFIX.length);
  const server = await reading(usedRegistry(context, flags.registry).find(wanted));
  if (server === undefined)
    throw new CommandError('SERVER_NOT_FOUND', `the registry has no server "${wanted}".`, {
      next: 'search for it: mcpmux search WORDS',
    });
  printNote(context, staleNote(server.staleSince));
  refuseDeleted(context, server);
  const source = chosenSource(server, flags.transport);
  const name = second === undefined ? localName(wanted) : first;
  asking.checkName?.(name);
  printNote(context, `Using ${printable(source.label)}`);
  printNote(context, wholeEntry(source));
  await acceptRisks(context, source, asking);
  // A dry run asks the same questions and stores nothing.
  const used = flags.dryRun === true ? { ...asking, keyring: NO_KEYRING } : asking;
  return { name, entry: source.entry(await inputValues(context, name, source, { flags, asking: used })) };
}

/**
 * Asks a person to accept the options of a registry entry that change the program or its rights. Without a terminal,
 * the entry is refused.
 */
async function acceptRisks(
  context: CommandContext,
  { label, risks }: UsableSource,
  asking: Asking,
): Promise<void> {
  if (risks.length === 0) return;
  const details = risks.map(printable);
  const refused = new CommandError('REFUSED', `${printable(label)} asks for more than its package.`, {
    details,
    next: 'add it by its command, if you trust it: mcpmux add NAME -- COMMAND',
  });
  if (!context.streams.isInteractive) throw refused;
  for (const risk of details) printNote(context, `Careful: ${risk}.`);
  if ((await asking.text('accept this? Type yes to go on: ')) !== 'yes') throw refused;
}

/**
 * Returns everything that a registry entry runs and sends. The text is the registry's. `<ID>` is a placeholder for a
 * value that a person enters.
 */
export function wholeEntry(source: UsableSource): string {
  const { command, args, env, url, headers } = source.entry(({ id }) => `<${id}>`);
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String).map(shownWord).join(' ');
  const all = [
    typeof command === 'string' ? `Runs ${words}` : `Connects to ${String(url)}`,
    ...named('with the variables', env),
    ...named('with the headers', headers),
  ];
  return all.map(printable).join(', ');
}

function shownWord(word: string): string {
  return /^<\w+>$/.test(word) ? word : quoted(word);
}

function named(title: string, values: unknown): readonly string[] {
  if (typeof values !== 'object' || values === null) return [];
  const all = Object.entries(values).map(([name, value]) => `${name}=${String(value)}`);
  return [`${title} ${all.join(', ')}`];
}

function refuseDeleted(context: CommandContext, { name, status, statusMessage = '' }: RegistryServer): void {
  const why = statusMessage === '' ? '' : `: ${printable(statusMessage)}`;
  if (status === 'deleted')
    throw new CommandError('SERVER_NOT_FOUND', `the registry has deleted "${name}"${why}.`, {
      next: 'search for another: mcpmux search WORDS',
    });
  if (status !== 'active') printNote(context, `The registry says that ${name} is ${printable(status)}${why}`);
}

/** Returns the first usable source that fits the requested transport. */
function chosenSource(server: RegistryServer, transport: EntryFlags['transport']): UsableSource {
  const all = sourcesOf(server);
  const kinds =
    transport === undefined ? ['package', 'remote'] : [transport === 'stdio' ? 'package' : 'remote'];
  const found = all.find((source): source is UsableSource => kinds.includes(source.kind));
  if (found !== undefined) return found;
  const details = all.map((source) =>
    source.kind === 'unusable' ? `${printable(source.label)}: ${source.problem}` : source.label,
  );
  throw new CommandError(
    'INVALID_SERVER',
    `mcpmux cannot run "${server.name}" as the registry describes it.`,
    {
      details,
      next: 'add it by its command: mcpmux add NAME -- COMMAND',
    },
  );
}

/** Returns the value of each input: from `-e`, a person or the registry, or else an environment variable. */
export async function inputValues(
  context: CommandContext,
  name: string,
  source: UsableSource,
  { flags, asking }: { readonly flags: EntryFlags; readonly asking: Asking },
): Promise<(input: SourceInput) => string | undefined> {
  const given = ofFlags(context, source, flags.env ?? []);
  for (const input of source.inputs) {
    if (given.has(input.id)) continue;
    const value = context.streams.isInteractive ? await askInput(context, name, input, asking) : undefined;
    const used = value ?? input.fallback ?? (input.isRequired ? `\${${input.id}}` : undefined);
    if (used !== undefined) given.set(input.id, used);
  }
  return ({ id }) => given.get(id);
}

/** Returns the values of `-e`. Only an input that accepts several values has more than one. */
function ofFlags(context: CommandContext, source: UsableSource, env: readonly string[]): Map<string, string> {
  const given = new Map<string, string>();
  const inputs = new Map(source.inputs.map((input) => [input.id, input]));
  for (const [id, value] of env.map(pair)) {
    const input = inputs.get(id);
    const before = input?.isRepeated === true ? given.get(id) : undefined;
    const used = input === undefined ? value : flagValue(context, input, value);
    given.set(id, before === undefined ? used : `${before}\n${used}`);
  }
  return given;
}

function flagValue({ cwd }: CommandContext, input: SourceInput, value: string): string {
  try {
    return input.isSecret ? value : checkedValue(input.id, input, value, cwd);
  } catch (error) {
    throw usage(messageOf(error), `pass another value: -e ${input.id}=VALUE`);
  }
}

async function askInput(
  context: CommandContext,
  name: string,
  input: SourceInput,
  asking: Asking,
): Promise<string | undefined> {
  const { id, isSecret } = input;
  if (!isSecret) return askValue(context, input, asking);
  const { hidden, keyring } = asking;
  const value = await hidden(questionOf(input));
  if (value === '') return undefined;
  const secret = `${name}.${id}`;
  try {
    keyring.set(secret, value);
    return secretReference(secret);
  } catch {
    printNote(context, `The keyring cannot be used. Set ${id} in the environment of mcpmux.`);
    return `\${${id}}`;
  }
}

function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usage('a value has no "=" after its name.', 'pass variables with -e NAME=value');
  return [text.slice(0, at), text.slice(at + 1)];
}
