import type { CommandContext } from '../../terminal/command-context.js';
import { configServers, configTextOf, configToWrite, type WriteFlags } from '../../config/config-choice.js';
import type { RegistryFlags } from '../../registry/registry-reading.js';
import { editConfig, editedConfigText, type ConfigEdit } from '../write-config.js';
import { createBundleEntry, refersToBundle, type BundledEntry } from './bundle-entry.js';
import { checkEntry, checkServerName, serverExistsError } from './check-entry.js';
import { serverOfCommandLine, type EntryFlags, type NamedEntry } from './new-entry.js';
import { refersToPackage } from './package-source.js';
import { pinToNewestVersion } from './pinned-entry.js';
import { PROMPTS, refersToRegistry, createRegistryEntry } from './registry-entry.js';
import { refersToSkills, createSkillsEntry } from './skills-entry.js';

/** Flags of `mcpmux add` that describe the server and select the config. */
export interface AddEntryFlags extends WriteFlags, EntryFlags, RegistryFlags {
  /** Replaces an existing server with the same name. */
  readonly force?: boolean;
}

/**
 * Writes a server into the config, or shows the change with `--dry-run`.
 *
 * @throws CommandError USAGE, INVALID_SERVER, SERVER_EXISTS
 */
export async function addEntry(
  context: CommandContext,
  { name, entry, unpack }: ServerToAdd,
  flags: AddEntryFlags,
): Promise<ConfigEdit> {
  checkServerName(name);
  checkEntry(name, entry);
  const deleteFiles = flags.dryRun === true ? undefined : await unpack?.();
  try {
    return await editConfig(context, flags, (config) => {
      const existing = config.reading.entries.find((candidate) => candidate.name === name);
      if (existing !== undefined && flags.force !== true) throw serverExistsError(name, config.file);
      return editedConfigText(config.file, config.text, existing?.path ?? ['mcpServers', name], entry);
    });
  } catch (error) {
    deleteFiles?.();
    throw error;
  }
}

/** A server to add. A server from a bundle also has functions that unpack and delete its files. */
export type ServerToAdd = NamedEntry & Partial<BundledEntry>;

/** Returns the server that a command line describes. Pins a package to its newest version. */
export async function serverToAdd(
  context: CommandContext,
  words: readonly string[],
  flags: AddEntryFlags,
): Promise<ServerToAdd> {
  const checkUnused = (wanted: string): void => checkUnusedName(context, wanted, flags);
  if (refersToRegistry(words))
    return pinToNewestVersion(
      context,
      await createRegistryEntry(context, words, flags, { ...PROMPTS, checkName: checkUnused }),
    );
  if (refersToBundle(words, flags)) {
    const configFile = configToWrite(context, flags).file;
    return createBundleEntry(context, words, {
      configFile,
      flags,
      promptsAndKeyring: { ...PROMPTS, checkName: checkUnused },
    });
  }
  if (refersToSkills(words)) return createSkillsEntry(context, words);
  const named = serverOfCommandLine(words, flags);
  if (!refersToPackage(words)) return named;
  checkUnused(named.name);
  return pinToNewestVersion(context, named);
}

/** @throws CommandError if the name is invalid, or if the config already contains it and `--force` is not set */
function checkUnusedName(context: CommandContext, name: string, flags: AddEntryFlags): void {
  checkServerName(name);
  const location = configToWrite(context, flags);
  const { reading } = configServers(location, configTextOf(location));
  const isTaken = reading.entries.some((entry) => entry.name === name);
  if (isTaken && flags.force !== true) throw serverExistsError(name, location.file);
}
