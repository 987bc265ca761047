import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { messageOf } from '@mcpmux/core';

import { BundleArchive } from '../../bundle/bundle-archive.js';
import { BundleFolders } from '../../bundle/bundle-folders.js';
import { readManifest, type BundleManifest } from '../../bundle/bundle-manifest.js';
import { bundleSource } from '../../bundle/bundle-source.js';
import { localServerName } from '../../registry/local-name.js';
import { printable } from '../../terminal/columns.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { CommandError } from '../../terminal/command-error.js';
import type { EntryFlags, NamedEntry } from './new-entry.js';
import { inputValues, NO_KEYRING, entrySummary, type Prompts } from './registry-entry.js';

const BUNDLE_FILE_NAME = /\.(?:mcpb|dxt)$/i;

/** True if a command line names a bundle, as `FILE.mcpb` or `NAME FILE.mcpb`. */
export function refersToBundle(words: readonly string[], { from }: Pick<EntryFlags, 'from'>): boolean {
  return from === undefined && words.length <= 2 && words.some((word) => BUNDLE_FILE_NAME.test(word));
}

/** A bundled server's entry, with functions that unpack and delete its files. */
export interface BundledEntry extends NamedEntry {
  /** Must run before the entry is written. Resolves to a function that deletes the new files if the write fails. */
  readonly unpack: () => Promise<() => void>;
  /** Deletes the files of this server's earlier bundles. */
  readonly deleteEarlierBundles: () => void;
}

/**
 * Returns the entry for a bundle's server. In a terminal, asks for the values that the server needs.
 *
 * @throws CommandError
 */
export async function createBundleEntry(
  context: CommandContext,
  words: readonly string[],
  { configFile, flags, promptsAndKeyring }: BundleRequest,
): Promise<BundledEntry> {
  const [first = '', second] = words;
  const file = second ?? first;
  const archive = await readBundle(file, () => BundleArchive.open(file));
  const manifest = await readBundle(file, () => readManifest(archive.manifest));
  const name = second === undefined ? localServerName(manifest.name.toLowerCase()) : first;
  promptsAndKeyring.checkName?.(name);
  const folders = new BundleFolders(configFile, name, context);
  const folder = folders.folderFor(archive);
  const source = await readBundle(file, () => bundleSource(manifest, { folder, platform: context.platform }));
  printNote(context, `Using ${bundleLabel(manifest, file)}`);
  const entryNote = await readBundle(file, () => entrySummary(source));
  printNote(context, entryNote);
  const effectivePrompts =
    flags.dryRun === true ? { ...promptsAndKeyring, keyring: NO_KEYRING } : promptsAndKeyring;
  const entry = source.entry(
    await inputValues(context, name, source, { flags, promptsAndKeyring: effectivePrompts }),
  );
  const program = manifest.server.type === 'binary' ? manifest.server.entry_point : undefined;
  const unpack = async (): Promise<() => void> => {
    const isNew = await readBundle(file, () => folders.ensureUnpacked(archive, program));
    return () => (isNew ? folders.deleteFolders((one) => one === folder) : undefined);
  };
  return { name, entry, unpack, deleteEarlierBundles: () => folders.deleteFolders((one) => one !== folder) };
}

interface BundleRequest {
  readonly configFile: string;
  readonly flags: EntryFlags & { readonly dryRun?: boolean };
  readonly promptsAndKeyring: Prompts;
}

function bundleLabel({ name, version }: BundleManifest, file: string): string {
  return `${printable(`${name} ${version}`)} of ${basename(file)}`;
}

async function readBundle<Value>(file: string, read: () => Value | Promise<Value>): Promise<Value> {
  if (!existsSync(file)) {
    throw new CommandError('FILE_NOT_FOUND', `there is no file ${file}.`, {
      next: 'download the bundle, then: mcpmux add FILE.mcpb',
    });
  }
  try {
    return await read();
  } catch (error) {
    const message = `the bundle ${file} cannot be used: ${printable(messageOf(error)).replace(/\.+$/, '')}. Nothing was written.`;
    throw new CommandError('INVALID_BUNDLE', message, {
      next: 'ask its author for a bundle that `mcpb pack` accepts',
    });
  }
}
