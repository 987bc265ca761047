import { rmSync } from 'node:fs';

import { documentEditor, openClientFile, type ClientFile } from '@mcpmux/clients';

import { ExitCode } from '../../base/exit-code.js';
import { writeAtomically } from '../../files/atomic-write.js';
import { backUp } from '../../files/back-up.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { formatFailure, type CommandFailure } from '../../terminal/command-error.js';
import { confirm } from '../../terminal/confirm.js';
import { failureOf } from '../../live/failure-of.js';
import { shownDiff } from '../shown-diff.js';
import { changedMeanwhile, writeFailed } from '../write-failure.js';

/** A file of a client, and its new text. */
export interface ClientChange {
  readonly source: ClientFile;
  readonly after: string;
}

/** The result of a change to a file. */
export interface ChangedFile {
  readonly client: string;
  readonly file: string;
  readonly written: boolean;
  /** The copy of the old file. */
  readonly backup?: string;
  /** The reason why the file is unchanged. */
  readonly error?: Pick<CommandFailure, 'code' | 'message' | 'next'>;
}

/**
 * Shows every change, asks once, copies each file and writes it as a whole. If one file cannot be written, the others
 * are still written.
 *
 * @param first runs after the consent and before the first write. No file is written if it throws.
 * @throws CommandError REFUSED before anything is written; WRITE_FAILED and others if there is only one file
 */
export async function applyChanges(
  context: CommandContext,
  changes: readonly ClientChange[],
  isDryRun: boolean,
  first: () => void = () => undefined,
): Promise<readonly ChangedFile[]> {
  for (const change of changes) await showChange(context, change);
  if (changes.length === 0) return [];
  if (isDryRun)
    return changes.map(({ source }) => ({ client: source.client.id, file: source.file, written: false }));
  await confirm(context, `Write ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}?`);
  first();
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0) return [write(context, only)];
  return changes.map((change) => written(context, change));
}

/** Returns the exit code of changes, some of which may have failed. */
export function exitCodeOf(files: readonly ChangedFile[]): number {
  return files.some(({ error }) => error !== undefined) ? ExitCode.Failed : ExitCode.Ok;
}

function written(context: CommandContext, change: ClientChange): ChangedFile {
  try {
    return write(context, change);
  } catch (cause) {
    const failure = failureOf(cause);
    if (failure === undefined) throw cause;
    const { code, message, next } = failure;
    printNote(context, formatFailure(failure, false).trimEnd());
    const { client, file } = change.source;
    const error = { code, message, ...(next !== undefined && { next }) };
    return { client: client.id, file, written: false, error };
  }
}

async function showChange(context: CommandContext, { source, after }: ClientChange): Promise<void> {
  const { bold, green, red, dim } = context.streams.errColours;
  const editor = await documentEditor(source.client.format);
  const lines = shownDiff(editor, source.text, after).map((line) => {
    if (line.startsWith('+')) return green(line);
    return line.startsWith('-') ? red(line) : dim(line);
  });
  printNote(context, [bold(`${source.client.title}: ${source.file}`), ...lines].join('\n'));
}

function write(context: CommandContext, { source, after }: ClientChange): ChangedFile {
  const { client, scope, file, text } = source;
  // A client may have written its file while the question was open.
  if (openClientFile(client, scope, file).text !== text) throw changedMeanwhile(file);
  let backup: string | undefined;
  try {
    backup = text === '' ? undefined : backUp(file, Date.now());
    writeAtomically(file, after);
  } catch (error) {
    // The file is unchanged, so its copy is useless.
    if (backup !== undefined) rmSync(backup, { force: true });
    throw writeFailed(file, error);
  }
  printNote(context, `Wrote ${file}${backup === undefined ? '' : `, the old file is ${backup}`}`);
  return { client: client.id, file, written: true, ...(backup !== undefined && { backup }) };
}
