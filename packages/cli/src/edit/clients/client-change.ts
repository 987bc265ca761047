import { rmSync } from 'node:fs';

import { documentEditor, openClientFile, type ClientFile } from '@mcpmux/clients';

import { ExitCode } from '../../base/exit-code.js';
import { writeAtomically } from '../../files/atomic-write.js';
import { backUp } from '../../files/back-up.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { formatFailure, type CommandFailure } from '../../terminal/command-error.js';
import { confirm } from '../../terminal/confirm.js';
import { failureOf } from '../../live/failure-of.js';
import { redactedDiff } from '../shown-diff.js';
import { fileChangedError, toWriteError } from '../write-failure.js';

/** A client's config file and the new text to write to it. */
export interface ClientChange {
  readonly source: ClientFile;
  readonly newText: string;
}

/** The result of changing one client's config file. */
export interface ClientChangeResult {
  readonly client: string;
  readonly file: string;
  readonly written: boolean;
  /** The path of the old file's backup, if one was made. */
  readonly backup?: string;
  /** The failure that left the file unchanged. */
  readonly error?: Pick<CommandFailure, 'code' | 'message' | 'next'>;
}

/**
 * Shows all changes, asks for confirmation once, then backs up and atomically replaces each file. If one file cannot be
 * written, the others still are.
 *
 * @param beforeWrite runs after the confirmation and before the first write. No file is written if it throws.
 * @throws CommandError REFUSED without a confirmation; for a single change, also its write error, such as WRITE_FAILED
 */
export async function applyChanges(
  context: CommandContext,
  changes: readonly ClientChange[],
  isDryRun: boolean,
  beforeWrite: () => void = () => undefined,
): Promise<readonly ClientChangeResult[]> {
  for (const change of changes) await showChange(context, change);
  if (changes.length === 0) return [];
  if (isDryRun)
    return changes.map(({ source }) => ({ client: source.client.id, file: source.file, written: false }));
  await confirm(context, `Write ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}?`);
  beforeWrite();
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0) return [writeChange(context, only)];
  return changes.map((change) => tryWrite(context, change));
}

/** Returns the exit code for the results: a failure if any change failed. */
export function exitCodeOf(files: readonly ClientChangeResult[]): number {
  return files.some(({ error }) => error !== undefined) ? ExitCode.Failed : ExitCode.Ok;
}

function tryWrite(context: CommandContext, change: ClientChange): ClientChangeResult {
  try {
    return writeChange(context, change);
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

async function showChange(context: CommandContext, { source, newText }: ClientChange): Promise<void> {
  const { bold, green, red, dim } = context.streams.stderrColours;
  const editor = await documentEditor(source.client.format);
  const lines = redactedDiff(editor, source.text, newText).map((line) => {
    if (line.startsWith('+')) return green(line);
    return line.startsWith('-') ? red(line) : dim(line);
  });
  printNote(context, [bold(`${source.client.title}: ${source.file}`), ...lines].join('\n'));
}

function writeChange(context: CommandContext, { source, newText }: ClientChange): ClientChangeResult {
  const { client, scope, file, text } = source;
  // The client may have changed its file before the person confirmed the changes.
  if (openClientFile(client, scope, file).text !== text) throw fileChangedError(file);
  let backup: string | undefined;
  try {
    backup = text === '' ? undefined : backUp(file, Date.now());
    writeAtomically(file, newText);
  } catch (error) {
    // The failed write left the file unchanged, so the backup is unnecessary.
    if (backup !== undefined) rmSync(backup, { force: true });
    throw toWriteError(file, error);
  }
  printNote(context, `Wrote ${file}${backup === undefined ? '' : `, the old file is ${backup}`}`);
  return { client: client.id, file, written: true, ...(backup !== undefined && { backup }) };
}
