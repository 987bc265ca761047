import { loadConfig, serverSchema } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';
import type { JsonObject } from '@mcpmux/clients';
import { isServerName } from '@mcpmux/namespace';

import { missingVariables, type MissingVariables } from '../config/missing-variables.js';
import { NEEDS_LOGIN } from '../doctor/check-server.js';
import { secretsWarning } from '../redact/literal-secrets.js';
import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import { shellWord } from '../terminal/shell-word.js';
import {
  applyChange,
  exitCodeOfRows,
  NOWHERE,
  tryServer,
  type AppliedChange,
  type ChangeFlags,
} from './apply-change.js';
import { bundleEntry, isOfBundle, type BundledEntry } from './bundle-entry.js';
import { configServers, configTextOf, configToWrite, flagsFor } from './config-choice.js';
import { fillMissing } from './fill-missing.js';
import { newEntry, type EntryFlags, type NamedEntry } from './new-entry.js';
import { isOfPackage } from './package-source.js';
import { pinnedEntry } from './pinned-entry.js';
import { programProblem } from './program-problem.js';
import { AT_TERMINAL, isOfRegistry, registryEntry } from './registry-entry.js';
import type { RegistryFlags } from './search.js';
import { shortReason } from './short-reason.js';
import { isOfSkills, skillsEntry } from './skills.js';
import { editConfig, editedConfig } from './write-config.js';

/** Flags of `mcpmux add`. */
export interface AddFlags extends ChangeFlags, EntryFlags, RegistryFlags {
  readonly force?: boolean;
  /** If true, starts the server once after adding it. When absent: true if the command runs at a terminal. */
  readonly check?: boolean;
}

/** Adds a server to the config, and to the running mcpmux that serves the config. */
export const add: Action<AddFlags> = async (context, words, flags) => {
  const { name, entry, ...bundle } = await newServer(context, words, flags);
  checkName(name);
  checkEntry(name, entry);
  const { location, file, written } = await withFiles(bundle, flags, () =>
    editConfig(context, flags, (config) => {
      const existing = config.reading.entries.find((candidate) => candidate.name === name);
      if (existing !== undefined && flags.force !== true) throw exists(name, config.file);
      return editedConfig(config.file, config.text, existing?.path ?? ['mcpServers', name], entry);
    }),
  );
  if (written) printNote(context, `Added ${name} to ${file}`);
  printNote(context, secretsWarning(name, entry) ?? '');
  if (written) await fillMissing(context, { location, names: [name] }, flags);
  const applied = written ? await started(context, location, { name, ...bundle }, flags) : NOWHERE;
  const unset = written && applied.servers.length === 0 ? missingVariables(location, context, name) : NONE;
  for (const variable of unset.keys()) printNote(context, `${name} needs ${variable}, which is not set here`);
  const failed = exitCodeOfRows(applied.servers);
  const isSound = applied.servers.length > 0 || (await isStartable(context, location, name));
  const remedy = applied.servers.some(({ problem = '' }) => NEEDS_LOGIN.test(problem)) ? 'login' : 'doctor';
  const next = failed === ExitCode.Ok && isSound ? 'tools' : remedy;
  const place = flagsFor(context, location);
  if (written) printNote(context, `Next: mcpmux ${next} ${shellWord(name)}${place}`);
  if (context.flags.json === true) printResult(context, { name, file, written, ...applied }, '');
  return failed;
};

/** Writes the entry of a server with its files, if it is from a bundle. Without an entry, the files are deleted. */
async function withFiles<Result>(
  { unpack }: Partial<BundledEntry>,
  { dryRun }: AddFlags,
  write: () => Promise<Result>,
): Promise<Result> {
  const discard = dryRun === true ? undefined : await unpack?.();
  try {
    return await write();
  } catch (error) {
    discard?.();
    throw error;
  }
}

/** Returns the server that a command line describes. A package gets its newest version. */
async function newServer(
  context: CommandContext,
  words: readonly string[],
  flags: AddFlags,
): Promise<NamedEntry & Partial<BundledEntry>> {
  const isFree = (wanted: string): void => checkFree(context, wanted, flags);
  if (isOfRegistry(words))
    return pinnedEntry(
      context,
      await registryEntry(context, words, flags, { ...AT_TERMINAL, checkName: isFree }),
    );
  if (isOfBundle(words, flags)) {
    const config = configToWrite(context, flags).file;
    return bundleEntry(context, words, { config, flags, asking: { ...AT_TERMINAL, checkName: isFree } });
  }
  if (isOfSkills(words)) return skillsEntry(context, words);
  const named = newEntry(words, flags);
  if (!isOfPackage(words)) return named;
  isFree(named.name);
  return pinnedEntry(context, named);
}

/** @throws CommandError if the config already has the name, or the name is not a valid server name */
function checkFree(context: CommandContext, name: string, flags: AddFlags): void {
  checkName(name);
  const location = configToWrite(context, flags);
  const { reading } = configServers(location, configTextOf(location));
  const isTaken = reading.entries.some((entry) => entry.name === name);
  if (isTaken && flags.force !== true) throw exists(name, location.file);
}

/** True if the variables of a server are set here, and its program exists. Otherwise prints what is missing. */
async function isStartable(
  context: CommandContext,
  location: ConfigLocation,
  name: string,
): Promise<boolean> {
  const server = loadConfig(location, context).servers.find((one) => one.name === name);
  const problem = await programProblem(server, context);
  if (problem !== undefined)
    printNote(context, `${name} cannot be started here: ${shortReason(name, problem)}`);
  return problem === undefined && server?.status !== 'misconfigured';
}

const NONE: MissingVariables = new Map();

/** Returns the server in the mcpmux that serves the config, or starts it for a moment. */
async function started(
  context: CommandContext,
  location: ConfigLocation,
  { name, deleteOthers }: Pick<NamedEntry, 'name'> & Partial<BundledEntry>,
  flags: AddFlags,
): Promise<AppliedChange> {
  const applied = await applyChange(context, location, [name], flags);
  deleteOthers?.();
  if (applied.instances.length > 0 || !(flags.check ?? context.streams.isInteractive)) return applied;
  return { ...applied, servers: await tryServer(context, location, name) };
}

/**
 * Checks a server name.
 *
 * @throws CommandError USAGE if the text is not a valid server name
 */
export function checkName(name: string): void {
  if (isServerName(name)) return;
  throw usage(
    `"${name}" is no server name: a name has no "__", no control characters and no "_" at its end, and is not empty or too long.`,
    'choose another name, such as my-server',
  );
}

/** @throws CommandError INVALID_SERVER */
export function checkEntry(name: string, entry: JsonObject): void {
  const { error } = serverSchema.safeParse(entry);
  if (error === undefined) return;
  const details = error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  throw new CommandError('INVALID_SERVER', `the entry of "${name}" is invalid; nothing was written.`, {
    details,
  });
}

/** Returns the error for a config that already has a server of this name. */
export function exists(name: string, file: string): CommandError {
  return new CommandError('SERVER_EXISTS', `${file} already has a server "${name}"; nothing was written.`, {
    next: 'choose another name, or replace it with --force',
  });
}
