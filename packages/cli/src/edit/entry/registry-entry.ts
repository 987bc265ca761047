import { messageOf } from '@mcpmux/core';
import { systemKeyring, type Keyring } from '@mcpmux/config';
import type { RegistryServer } from '../../registry/registry-server.js';
import { normalizeValue } from '../../registry/input-value.js';
import { localServerName } from '../../registry/local-name.js';
import {
  secretReference,
  sourcesOf,
  type SourceInput,
  type UsableSource,
} from '../../registry/server-source.js';
import { usedRegistry } from '../../registry/used-registry.js';
import { printable } from '../../terminal/columns.js';
import { quoteWord } from '../../terminal/quoted.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { CommandError, usageError } from '../../terminal/command-error.js';
import { askHidden, askText } from '../../terminal/prompt.js';
import type { EntryFlags, NamedEntry } from './new-entry.js';
import { askValue, inputQuestion } from './registry-question.js';
import { withRegistryErrors, staleNote, type RegistryFlags } from '../../registry/registry-reading.js';

const REGISTRY_PREFIX = 'registry:';

/** The prompts and the keyring. Tests pass substitutes. */
export interface Prompts {
  readonly promptText: (question: string) => Promise<string>;
  readonly promptHidden: (question: string) => Promise<string>;
  readonly keyring: Pick<Keyring, 'set'>;
  /** Throws if the name is invalid or in use. Runs before any prompt, because an answer could overwrite a secret. */
  readonly checkName?: (name: string) => void;
}

/** The terminal prompts and the system keyring. */
export const PROMPTS: Prompts = { promptText: askText, promptHidden: askHidden, keyring: systemKeyring };

/** A keyring for dry runs, which stores nothing. */
export const NO_KEYRING: Prompts['keyring'] = { set: () => undefined };

/** True if a command line names a registry server, as `registry:NAME` or `NAME registry:NAME`. */
export function refersToRegistry([first = '', second = '']: readonly string[]): boolean {
  return first.startsWith(REGISTRY_PREFIX) || second.startsWith(REGISTRY_PREFIX);
}

/**
 * Returns the name and the entry for a registry server. In a terminal, asks for the values that the server needs and
 * saves secrets in the keyring. Without a terminal, the entry refers to environment variables.
 *
 * @throws CommandError
 */
export async function createRegistryEntry(
  context: CommandContext,
  words: readonly string[],
  flags: EntryFlags & RegistryFlags & { readonly dryRun?: boolean },
  promptsAndKeyring: Prompts = PROMPTS,
): Promise<NamedEntry> {
  const [first = '', second] = words;
  const registryName = (second ?? first).slice(REGISTRY_PREFIX.length);
  const server = await withRegistryErrors(usedRegistry(context, flags.registry).find(registryName));
  if (server === undefined)
    throw new CommandError('SERVER_NOT_FOUND', `the registry has no server "${registryName}".`, {
      next: 'search for it: mcpmux search WORDS',
    });
  printNote(context, staleNote(server.staleSince));
  checkRegistryStatus(context, server);
  const source = firstUsableSource(server, flags.transport);
  const name = second === undefined ? localServerName(registryName) : first;
  promptsAndKeyring.checkName?.(name);
  printNote(context, `Using ${printable(source.label)}`);
  printNote(context, entrySummary(source));
  await confirmRisks(context, source, promptsAndKeyring);
  // A dry run asks the same questions but stores nothing.
  const effectivePrompts =
    flags.dryRun === true ? { ...promptsAndKeyring, keyring: NO_KEYRING } : promptsAndKeyring;
  return {
    name,
    entry: source.entry(
      await inputValues(context, name, source, { flags, promptsAndKeyring: effectivePrompts }),
    ),
  };
}

/**
 * Asks the user to confirm options that change the program or its rights.
 *
 * @throws CommandError REFUSED without consent or a terminal
 */
async function confirmRisks(
  context: CommandContext,
  { label, risks }: UsableSource,
  promptsAndKeyring: Prompts,
): Promise<void> {
  if (risks.length === 0) return;
  const details = risks.map(printable);
  const refused = new CommandError('REFUSED', `${printable(label)} asks for more than its package.`, {
    details,
    next: 'add it by its command, if you trust it: mcpmux add NAME -- COMMAND',
  });
  if (!context.streams.isInteractive) throw refused;
  for (const risk of details) printNote(context, `Careful: ${risk}.`);
  if ((await promptsAndKeyring.promptText('accept this? Type yes to go on: ')) !== 'yes') throw refused;
}

/**
 * Describes the command with its variables, or the URL with its headers. Writes `<ID>` in place of each value that the
 * user must still enter.
 */
export function entrySummary(source: UsableSource): string {
  const { command, args, env, url, headers } = source.entry(({ id }) => `<${id}>`);
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String).map(quotedWord).join(' ');
  const all = [
    typeof command === 'string' ? `Runs ${words}` : `Connects to ${String(url)}`,
    ...pairsText('with the variables', env),
    ...pairsText('with the headers', headers),
  ];
  return all.map(printable).join(', ');
}

function quotedWord(word: string): string {
  return /^<\w+>$/.test(word) ? word : quoteWord(word);
}

function pairsText(title: string, values: unknown): readonly string[] {
  if (typeof values !== 'object' || values === null) return [];
  const all = Object.entries(values).map(([name, value]) => `${name}=${String(value)}`);
  return [`${title} ${all.join(', ')}`];
}

function checkRegistryStatus(
  context: CommandContext,
  { name, status, statusMessage = '' }: RegistryServer,
): void {
  const text = statusMessage === '' ? '' : `: ${printable(statusMessage)}`;
  if (status === 'deleted')
    throw new CommandError('SERVER_NOT_FOUND', `the registry has deleted "${name}"${text}.`, {
      next: 'search for another: mcpmux search WORDS',
    });
  if (status !== 'active')
    printNote(context, `The registry says that ${name} is ${printable(status)}${text}`);
}

function firstUsableSource(server: RegistryServer, transport: EntryFlags['transport']): UsableSource {
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

/**
 * Collects a value for each input, and returns a function that looks up the value. Prefers `-e` to a prompt, and a
 * prompt to the registry's default. A required input without a value gets a placeholder.
 */
export async function inputValues(
  context: CommandContext,
  name: string,
  source: UsableSource,
  { flags, promptsAndKeyring }: { readonly flags: EntryFlags; readonly promptsAndKeyring: Prompts },
): Promise<(input: SourceInput) => string | undefined> {
  const values = fromEnv(context, source, flags.env ?? []);
  for (const input of source.inputs) {
    if (values.has(input.id)) continue;
    const value = context.streams.isInteractive
      ? await askInput(context, name, input, promptsAndKeyring)
      : undefined;
    const finalValue = value ?? input.fallback ?? (input.isRequired ? `\${${input.id}}` : undefined);
    if (finalValue !== undefined) values.set(input.id, finalValue);
  }
  return ({ id }) => values.get(id);
}

/**
 * Returns the `-e` values, keyed by input ID. The last value of an ID wins, unless the input accepts several values.
 */
function fromEnv(context: CommandContext, source: UsableSource, env: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  const inputs = new Map(source.inputs.map((input) => [input.id, input]));
  for (const [id, value] of env.map(parsePair)) {
    const input = inputs.get(id);
    const previousValue = input?.isRepeated === true ? values.get(id) : undefined;
    const finalValue = input === undefined ? value : checkedFlagValue(context, input, value);
    values.set(id, previousValue === undefined ? finalValue : `${previousValue}\n${finalValue}`);
  }
  return values;
}

function checkedFlagValue({ cwd }: CommandContext, input: SourceInput, value: string): string {
  try {
    return input.isSecret ? value : normalizeValue(input.id, input, value, cwd);
  } catch (error) {
    throw usageError(messageOf(error), `pass another value: -e ${input.id}=VALUE`);
  }
}

async function askInput(
  context: CommandContext,
  name: string,
  input: SourceInput,
  promptsAndKeyring: Prompts,
): Promise<string | undefined> {
  const { id, isSecret } = input;
  if (!isSecret) return askValue(context, input, promptsAndKeyring);
  const { promptHidden, keyring } = promptsAndKeyring;
  const value = await promptHidden(inputQuestion(input));
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

function parsePair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError('a value has no "=" after its name.', 'pass variables with -e NAME=value');
  return [text.slice(0, at), text.slice(at + 1)];
}
