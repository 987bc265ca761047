import type { ClientFile } from '../clients/client-file.js';
import { documentEditor } from '../clients/server-document.js';
import { writeAtomically } from '../files/atomic-write.js';
import { backUp } from '../files/back-up.js';
import { tell, type CommandContext } from '../terminal/command-context.js';
import { confirm } from '../terminal/confirm.js';
import { shownDiff } from './shown-diff.js';
import { writeFailed } from './write-config.js';

/** A file of a client, and what is to become of it. */
export interface ClientChange {
  readonly source: ClientFile;
  readonly after: string;
}

/** A file that was changed. */
export interface ChangedFile {
  readonly client: string;
  readonly file: string;
  readonly written: boolean;
  /** The copy of what was there. */
  readonly backup?: string;
}

/** How changes are applied. */
export interface ApplyOptions {
  readonly isDryRun: boolean;
  /** Done after the yes and before any of these files is written. */
  readonly first?: () => void;
}

/**
 * Shows every change, asks once, keeps a copy of each file and writes it as a whole.
 *
 * @throws CommandError REFUSED before anything is written, WRITE_FAILED
 */
export async function applyChanges(
  context: CommandContext,
  changes: readonly ClientChange[],
  { isDryRun, first = () => undefined }: ApplyOptions,
): Promise<readonly ChangedFile[]> {
  for (const change of changes) await showChange(context, change);
  if (changes.length === 0) return [];
  if (isDryRun)
    return changes.map(({ source }) => ({ client: source.client.id, file: source.file, written: false }));
  await confirm(context, `Write ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}?`);
  first();
  return changes.map((change) => write(context, change));
}

async function showChange(context: CommandContext, { source, after }: ClientChange): Promise<void> {
  const { bold, green, red, dim } = context.streams.errColours;
  const editor = await documentEditor(source.client.format);
  const lines = shownDiff(editor, source.text, after).map((line) => {
    if (line.startsWith('+')) return green(line);
    return line.startsWith('-') ? red(line) : dim(line);
  });
  tell(context, [bold(`${source.client.title}: ${source.file}`), ...lines].join('\n'));
}

function write(context: CommandContext, { source, after }: ClientChange): ChangedFile {
  const { client, file, text } = source;
  try {
    const backup = text === '' ? undefined : backUp(file, Date.now());
    writeAtomically(file, after);
    tell(context, `Wrote ${file}${backup === undefined ? '' : `, the old one is ${backup}`}`);
    return { client: client.id, file, written: true, ...(backup !== undefined && { backup }) };
  } catch (error) {
    throw writeFailed(file, error);
  }
}
