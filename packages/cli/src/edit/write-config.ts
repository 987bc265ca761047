import { existsSync, readFileSync } from 'node:fs';

import { decodedText, DocumentError, editDocument, jsonEditor } from '@mcpmux/clients';
import type { ConfigLocation } from '@mcpmux/config/find';

import { EMPTY_CONFIG } from '../config/seed-config.js';
import { writeAtomically } from '../files/atomic-write.js';
import { withFileLock } from '../files/file-lock.js';
import { printNote, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import {
  configServers,
  configTextOf,
  configToWrite,
  type ParsedConfig,
  type WriteFlags,
} from '../config/config-choice.js';
import { redactedDiff } from './shown-diff.js';
import { fileChangedError, toWriteError } from './write-failure.js';

/**
 * Returns the text of a config with one value set or removed. Preserves comments and layout.
 *
 * @throws CommandError CONFIG_INVALID if the text cannot be edited
 */
export function editedConfigText(
  file: string,
  text: string,
  path: readonly (string | number)[],
  value: unknown,
): string {
  try {
    return editDocument(jsonEditor, text === '' ? EMPTY_CONFIG : text, path.map(String), value);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new CommandError('CONFIG_INVALID', `${file} cannot be edited: ${error.message}.`, {
      next: 'edit the file by hand, then: mcpmux config validate',
    });
  }
}

/**
 * Runs `work` under the config's lock, so that concurrent commands do not overwrite each other's changes. A dry run
 * needs no lock.
 *
 * @throws CommandError FILE_LOCKED, WRITE_FAILED
 */
export async function withConfigLock<Result>(
  file: string,
  isDryRun: boolean,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  if (isDryRun) return work();
  try {
    return await withFileLock(file, work);
  } catch (error) {
    throw toWriteError(file, error);
  }
}

/** A parsed config with its path and its text before the edit. */
export interface ConfigToEdit extends ParsedConfig {
  readonly file: string;
  readonly text: string;
}

/** The result of editing a config. */
export interface ConfigEdit {
  readonly location: ConfigLocation;
  readonly file: string;
  /** False after a dry run, or if the text is unchanged. */
  readonly written: boolean;
}

/** Edits a config and writes it, or shows the change with `--dry-run`. The lock is held from the read to the write. */
export async function editConfig(
  context: CommandContext,
  flags: WriteFlags,
  edit: (config: ConfigToEdit) => string,
): Promise<ConfigEdit> {
  const location = configToWrite(context, flags);
  const { file } = location;
  const isDryRun = flags.dryRun === true;
  const written = await withConfigLock(file, isDryRun, () => {
    const before = configTextOf(location);
    const after = edit({ ...configServers(location, before), file, text: before });
    return saveConfig(context, { file, before, after }, isDryRun);
  });
  return { location, file, written };
}

/**
 * Writes a config atomically, or shows the change with `--dry-run`. Returns true if the config was written.
 *
 * @throws CommandError FILE_CHANGED if the file no longer contains the text `before`; FILE_READ_ONLY, WRITE_FAILED
 */
export function saveConfig(
  context: CommandContext,
  { file, before, after }: { readonly file: string; readonly before: string; readonly after: string },
  isDryRun: boolean,
): boolean {
  if (before === after) return false;
  if (isDryRun) {
    printNote(context, [`${file} would change:`, ...redactedDiff(jsonEditor, before, after)].join('\n'));
    return false;
  }
  if (currentText(file) !== before) throw fileChangedError(file);
  try {
    writeAtomically(file, after);
    return true;
  } catch (error) {
    throw toWriteError(file, error);
  }
}

function currentText(file: string): string {
  return existsSync(file) ? decodedText(readFileSync(file)) : '';
}
