import type { CommandContext } from '../../terminal/command-context.js';
import { configServers, configTextOf, configToWrite, type WriteFlags } from '../../config/config-choice.js';
import type { RegistryFlags } from '../../registry/registry-reading.js';
import { editConfig, editedConfig, type EditedFile } from '../write-config.js';
import { bundleEntry, isOfBundle, type BundledEntry } from './bundle-entry.js';
import { checkEntry, checkName, serverExists } from './check-entry.js';
import { newEntry, type EntryFlags, type NamedEntry } from './new-entry.js';
import { isOfPackage } from './package-source.js';
import { pinnedEntry } from './pinned-entry.js';
import { PROMPTS, isOfRegistry, registryEntry } from './registry-entry.js';
import { isOfSkills, skillsEntry } from './skills-entry.js';

/** Flags that describe a server and select the config for it. */
export interface AddedFlags extends WriteFlags, EntryFlags, RegistryFlags {
  /** Replaces an existing server of the same name. */
  readonly force?: boolean;
}

/**
 * Writes a server into the config, or shows the change with `--dry-run`.
 *
 * @throws CommandError USAGE, INVALID_SERVER, SERVER_EXISTS
 */
export async function addEntry(
  context: CommandContext,
  { name, entry, unpack }: DescribedServer,
  flags: AddedFlags,
): Promise<EditedFile> {
  checkName(name);
  checkEntry(name, entry);
  const deleteFiles = flags.dryRun === true ? undefined : await unpack?.();
  try {
    return await editConfig(context, flags, (config) => {
      const existing = config.reading.entries.find((candidate) => candidate.name === name);
      if (existing !== undefined && flags.force !== true) throw serverExists(name, config.file);
      return editedConfig(config.file, config.text, existing?.path ?? ['mcpServers', name], entry);
    });
  } catch (error) {
    deleteFiles?.();
    throw error;
  }
}

/** A server, with its files if it comes from a bundle. */
export type DescribedServer = NamedEntry & Partial<BundledEntry>;

/** Returns the server that a command line describes. Pins a package to its newest version. */
export async function describedServer(
  context: CommandContext,
  words: readonly string[],
  flags: AddedFlags,
): Promise<DescribedServer> {
  const requireFree = (wanted: string): void => checkFree(context, wanted, flags);
  if (isOfRegistry(words))
    return pinnedEntry(
      context,
      await registryEntry(context, words, flags, { ...PROMPTS, checkName: requireFree }),
    );
  if (isOfBundle(words, flags)) {
    const config = configToWrite(context, flags).file;
    return bundleEntry(context, words, { config, flags, asking: { ...PROMPTS, checkName: requireFree } });
  }
  if (isOfSkills(words)) return skillsEntry(context, words);
  const named = newEntry(words, flags);
  if (!isOfPackage(words)) return named;
  requireFree(named.name);
  return pinnedEntry(context, named);
}

/** @throws CommandError if the name is invalid, or if the config already contains it and `--force` is not set */
function checkFree(context: CommandContext, name: string, flags: AddedFlags): void {
  checkName(name);
  const location = configToWrite(context, flags);
  const { reading } = configServers(location, configTextOf(location));
  const isTaken = reading.entries.some((entry) => entry.name === name);
  if (isTaken && flags.force !== true) throw serverExists(name, location.file);
}
