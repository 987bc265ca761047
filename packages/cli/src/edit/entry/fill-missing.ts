import { isObject, type JsonObject, NO_VARIABLES } from '@mcpmux/clients';
import { inputSecret, inputVariable, systemKeyring, type Keyring } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { printable } from '../../terminal/columns.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { CommandError } from '../../terminal/command-error.js';
import { askHidden } from '../../terminal/prompt.js';
import { configServers, configTextOf, type ConfigFlags } from '../../config/config-choice.js';
import { editConfig, editedConfig } from '../write-config.js';

/** The prompt and the keyring, which tests replace. */
export interface PromptAndKeyring {
  readonly hidden: (question: string) => Promise<string>;
  readonly keyring: Pick<Keyring, 'get' | 'set'>;
}

/** Servers that a command has added to a config. */
interface AddedServers {
  readonly location: ConfigLocation;
  readonly names: readonly string[];
}

/** A placeholder in an entry for a variable or an input. */
interface MissingValue {
  /** An `input` is the placeholder `${input:NAME}`, which reads its value from the keyring. */
  readonly kind: 'variable' | 'input';
  readonly name: string;
}

const TERMINAL: PromptAndKeyring = { hidden: askHidden, keyring: systemKeyring };
const PLACEHOLDER = /(?<!\$)\$\{(?:(?:env:)?(?<variable>[A-Za-z_]\w*)|input:(?<input>[A-Za-z_][\w.-]*))\}/g;

/**
 * Asks in a terminal for the missing values that the servers need. Saves values only in the keyring, and never in the
 * config or a log. An empty answer leaves a placeholder unchanged.
 */
export async function fillMissing(
  context: CommandContext,
  { location, names }: AddedServers,
  flags: ConfigFlags,
  { hidden, keyring }: PromptAndKeyring = TERMINAL,
): Promise<void> {
  if (!context.streams.isInteractive || context.flags.yes === true) return;
  const saved = new Set<string>();
  const askedNames = new Set<string>();
  for (const { server, kind, name } of missingIn(context, { location, names }, keyring)) {
    if (askedNames.has(name)) continue;
    askedNames.add(name);
    const value = await unlessInterrupted(hidden(`Value of ${name} for ${printable(server)} [none]: `));
    if (value === undefined) break;
    if (value === '' || !save(context, keyring, { kind, name }, value)) continue;
    if (kind === 'variable') saved.add(name);
  }
  if (saved.size > 0) await writeSecretPlaceholders(context, names, saved, flags);
}

function missingIn(
  context: CommandContext,
  { location, names }: AddedServers,
  keyring: PromptAndKeyring['keyring'],
): readonly (MissingValue & { readonly server: string })[] {
  const { reading, valueOf } = configServers(location, configTextOf(location));
  const isSet = ({ kind, name }: MissingValue): boolean => {
    const variable = kind === 'input' ? inputVariable(name) : name;
    return (
      Object.hasOwn(context.environment, variable) ||
      (kind === 'input' && isSaved(keyring, inputSecret(name)))
    );
  };
  return reading.entries
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name: server, path }) =>
      placeholdersIn(valueOf(path)).map(({ kind, name }) => ({ kind, name, server })),
    )
    .filter((one) => !isSet(one));
}

function placeholdersIn(value: unknown): readonly MissingValue[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(placeholdersIn);
  if (typeof value !== 'string') return [];
  return [...value.matchAll(PLACEHOLDER)].flatMap(
    ({ groups: { variable, input } = {} }): readonly MissingValue[] => {
      if (input !== undefined) return [{ kind: 'input', name: input }];
      return variable === undefined || NO_VARIABLES.has(variable)
        ? []
        : [{ kind: 'variable', name: variable }];
    },
  );
}

/** Replaces `${NAME}` with `${secret:NAME}` in the entries of the servers. */
async function writeSecretPlaceholders(
  context: CommandContext,
  names: readonly string[],
  saved: ReadonlySet<string>,
  flags: ConfigFlags,
): Promise<void> {
  await editConfig(context, flags, (config) =>
    config.reading.entries
      .filter(({ name }) => names.includes(name))
      .reduce((edited, { path }) => {
        const entry = config.valueOf(path);
        return Object.entries(entry).reduce((before, [key, value]) => {
          const after = withSecrets(value, saved);
          return JSON.stringify(after) === JSON.stringify(value)
            ? before
            : editedConfig(config.file, before, [...path, key], after);
        }, edited);
      }, config.text),
  );
}

function withSecrets(value: unknown, saved: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, saved));
  if (isObject(value)) return membersWithSecrets(value, saved);
  if (typeof value !== 'string') return value;
  return value.replaceAll(PLACEHOLDER, (whole, variable: string | undefined) =>
    variable !== undefined && saved.has(variable) ? `\${secret:${variable}}` : whole,
  );
}

function membersWithSecrets(value: JsonObject, saved: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withSecrets(item, saved)]));
}

function save(
  context: CommandContext,
  keyring: PromptAndKeyring['keyring'],
  { kind, name }: MissingValue,
  value: string,
): boolean {
  try {
    const secret = kind === 'input' ? inputSecret(name) : name;
    keyring.set(secret, value);
    printNote(context, `Saved ${secret} in the keyring`);
    return true;
  } catch {
    printNote(
      context,
      `The keyring cannot be used. Set ${inputVariable(name)} in the environment of mcpmux.`,
    );
    return false;
  }
}

function isSaved(keyring: PromptAndKeyring['keyring'], name: string): boolean {
  try {
    return keyring.get(name) !== undefined;
  } catch {
    return false;
  }
}

/** Resolves to undefined after Ctrl-C, because the servers are already in the config. */
async function unlessInterrupted(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
