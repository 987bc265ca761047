import { jsonEditor } from '../clients/json-editor.js';
import { DocumentError, editDocument } from '../clients/server-document.js';
import { EMPTY_CONFIG } from '../config/seed-config.js';
import { ExitCode } from '../exit-code.js';
import { writeAtomically } from '../files/atomic-write.js';
import { tell, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { shownDiff } from './shown-diff.js';

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
    throw new CommandError({
      code: 'CONFIG_INVALID',
      exitCode: ExitCode.Usage,
      message: `${file} cannot be edited: ${error.message}.`,
      next: 'edit it by hand, then: mcpmux config validate',
    });
  }
}

/** Writes a config as a whole, or with `--dry-run` shows what would change. Returns whether it was written. */
export function saveConfig(
  context: CommandContext,
  { file, before, after }: { readonly file: string; readonly before: string; readonly after: string },
  isDryRun: boolean,
): boolean {
  if (isDryRun) {
    tell(context, [`${file} would change:`, ...shownDiff(jsonEditor, before, after)].join('\n'));
    return false;
  }
  try {
    if (before !== after) writeAtomically(file, after);
    return before !== after;
  } catch (error) {
    throw writeFailed(file, error);
  }
}

/** A file that could not be written; it is as it was. */
export function writeFailed(file: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new CommandError({
    code: 'WRITE_FAILED',
    exitCode: ExitCode.Failed,
    message: `${file} cannot be written (${code}); it is as it was.`,
    next: 'check the permissions of the file and of its folder.',
  });
}
