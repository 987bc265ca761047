import { existsSync, readFileSync } from 'node:fs';

import { DocumentError, editDocument, jsonEditor } from '@mcpmux/clients';

import { EMPTY_CONFIG } from '../config/seed-config.js';
import { writeAtomically } from '../files/atomic-write.js';
import { withFileLock } from '../files/file-lock.js';
import { tell, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import {
  configServers,
  configTextOf,
  configToWrite,
  type ConfigServers,
  type WriteFlags,
} from './config-choice.js';
import { shownDiff } from './shown-diff.js';
import { changedMeanwhile, writeFailed } from './write-failure.js';

/**
 * The text of a config with one value set, or taken away; comments and layout stay.
 *
 * @throws CommandError CONFIG_INVALID when that cannot be done
 */
export function editedConfig(
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
      next: 'edit it by hand, then: mcpmux config validate',
    });
  }
}

/**
 * Reads, changes and writes a config while no other command does: of commands that run at once, each sees what the one
 * before has written.
 *
 * @throws CommandError FILE_LOCKED, WRITE_FAILED
 */
export async function changingConfig<Result>(
  file: string,
  isDryRun: boolean,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  if (isDryRun) return work();
  try {
    return await withFileLock(file, work);
  } catch (error) {
    throw writeFailed(file, error);
  }
}

/** Writes what `edit` makes of a config, or with `--dry-run` shows it. Tells which file it is, and whether it was written. */
export async function editConfig(
  context: CommandContext,
  flags: WriteFlags,
  edit: (config: ConfigServers & { readonly file: string; readonly text: string }) => string,
): Promise<{ readonly file: string; readonly written: boolean }> {
  const location = configToWrite(context, flags);
  const { file } = location;
  const isDryRun = flags.dryRun === true;
  const written = await changingConfig(file, isDryRun, () => {
    const before = configTextOf(location);
    const after = edit({ ...configServers(location, before), file, text: before });
    return saveConfig(context, { file, before, after }, isDryRun);
  });
  return { file, written };
}

/**
 * Writes a config as a whole, or with `--dry-run` shows what would change. Returns whether it was written.
 *
 * @throws CommandError FILE_CHANGED when it is no longer what it was, FILE_READ_ONLY, WRITE_FAILED
 */
export function saveConfig(
  context: CommandContext,
  { file, before, after }: { readonly file: string; readonly before: string; readonly after: string },
  isDryRun: boolean,
): boolean {
  if (isDryRun) {
    tell(context, [`${file} would change:`, ...shownDiff(jsonEditor, before, after)].join('\n'));
    return false;
  }
  if (before === after) return false;
  if (textOf(file) !== before) throw changedMeanwhile(file);
  try {
    writeAtomically(file, after);
    return true;
  } catch (error) {
    throw writeFailed(file, error);
  }
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
