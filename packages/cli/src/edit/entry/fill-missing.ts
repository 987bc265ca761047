import { isObject, type JsonObject, NO_VARIABLES } from '@mcpmux/clients';
import { inputSecret, inputVariable, systemKeyring, type Keyring } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { printable } from '../../terminal/columns.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { CommandError } from '../../terminal/command-error.js';
import { askHidden } from '../../terminal/prompt.js';
import { configServers, configTextOf, type ConfigFlags } from '../../config/config-choice.js';
import { editConfig, editedConfigText } from '../write-config.js';

/** The hidden prompt and the keyring. Tests pass substitutes. */
export interface HiddenPromptAndKeyring {
  readonly promptHidden: (question: string) => Promise<string>;
  readonly keyring: Pick<Keyring, 'get' | 'set'>;
}

interface AddedServers {
  readonly location: ConfigLocation;
  readonly names: readonly string[];
}

interface EntryPlaceholder {
  /** `variable` means `${NAME}` or `${env:NAME}`, `input` means `${input:NAME}`. */
  readonly kind: 'variable' | 'input';
  readonly name: string;
}

const TERMINAL_PROMPT: HiddenPromptAndKeyring = { promptHidden: askHidden, keyring: systemKeyring };
const PLACEHOLDER = /(?<!\$)\$\{(?:(?:env:)?(?<variable>[A-Za-z_]\w*)|input:(?<input>[A-Za-z_][\w.-]*))\}/g;

/**
 * In a terminal, asks for each missing value of the added servers and saves it in the keyring, never in the config or a
 * log. An empty answer leaves the placeholder unchanged.
 */
export async function fillMissingValues(
  context: CommandContext,
  { location, names }: AddedServers,
  flags: ConfigFlags,
  { promptHidden, keyring }: HiddenPromptAndKeyring = TERMINAL_PROMPT,
): Promise<void> {
  if (!context.streams.isInteractive || context.flags.yes === true) return;
  const savedNames = new Set<string>();
  const askedNames = new Set<string>();
  for (const { server, kind, name } of missingValues(context, { location, names }, keyring)) {
    if (askedNames.has(name)) continue;
    askedNames.add(name);
    const value = await undefinedIfInterrupted(
      promptHidden(`Value of ${name} for ${printable(server)} [none]: `),
    );
    if (value === undefined) break;
    if (value === '' || !saveValue(context, keyring, { kind, name }, value)) continue;
    if (kind === 'variable') savedNames.add(name);
  }
  if (savedNames.size > 0) await writeSecretPlaceholders(context, names, savedNames, flags);
}

function missingValues(
  context: CommandContext,
  { location, names }: AddedServers,
  keyring: HiddenPromptAndKeyring['keyring'],
): readonly (EntryPlaceholder & { readonly server: string })[] {
  const { reading, valueOf } = configServers(location, configTextOf(location));
  const isSet = ({ kind, name }: EntryPlaceholder): boolean => {
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

function placeholdersIn(value: unknown): readonly EntryPlaceholder[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(placeholdersIn);
  if (typeof value !== 'string') return [];
  return [...value.matchAll(PLACEHOLDER)].flatMap(
    ({ groups: { variable, input } = {} }): readonly EntryPlaceholder[] => {
      if (input !== undefined) return [{ kind: 'input', name: input }];
      return variable === undefined || NO_VARIABLES.has(variable)
        ? []
        : [{ kind: 'variable', name: variable }];
    },
  );
}

/** In the servers' entries, replaces `${NAME}` with `${secret:NAME}` for each NAME that was saved in the keyring. */
async function writeSecretPlaceholders(
  context: CommandContext,
  names: readonly string[],
  savedNames: ReadonlySet<string>,
  flags: ConfigFlags,
): Promise<void> {
  await editConfig(context, flags, (config) =>
    config.reading.entries
      .filter(({ name }) => names.includes(name))
      .reduce((edited, { path }) => {
        const entry = config.valueOf(path);
        return Object.entries(entry).reduce((before, [key, value]) => {
          const newValue = withSecretPlaceholders(value, savedNames);
          return JSON.stringify(newValue) === JSON.stringify(value)
            ? before
            : editedConfigText(config.file, before, [...path, key], newValue);
        }, edited);
      }, config.text),
  );
}

function withSecretPlaceholders(value: unknown, savedNames: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withSecretPlaceholders(item, savedNames));
  if (isObject(value)) return membersWithSecretPlaceholders(value, savedNames);
  if (typeof value !== 'string') return value;
  return value.replaceAll(PLACEHOLDER, (whole, variable: string | undefined) =>
    variable !== undefined && savedNames.has(variable) ? `\${secret:${variable}}` : whole,
  );
}

function membersWithSecretPlaceholders(value: JsonObject, savedNames: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withSecretPlaceholders(item, savedNames)]),
  );
}

function saveValue(
  context: CommandContext,
  keyring: HiddenPromptAndKeyring['keyring'],
  { kind, name }: EntryPlaceholder,
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

function isSaved(keyring: HiddenPromptAndKeyring['keyring'], name: string): boolean {
  try {
    return keyring.get(name) !== undefined;
  } catch {
    return false;
  }
}

/** Resolves to undefined on Ctrl-C. The command must not fail then, because it has already added the servers. */
async function undefinedIfInterrupted(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
