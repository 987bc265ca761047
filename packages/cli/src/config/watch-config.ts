import { readFileSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors write in several steps: what comes within this time is one change. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` whenever the text of a file has changed, also when it is replaced by another. Keeps no process alive.
 *
 * @returns what ends it
 */
export function watchConfig(file: string, onChange: () => void): () => void {
  let text = textOf(file);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = textOf(file);
    // Away for a moment, or the same as before.
    if (now === undefined || now === text) return;
    text = now;
    onChange();
  };
  // The folder, not the file: a file that is replaced would not be seen again.
  const watcher = watch(dirname(file), { persistent: false }, (_, name) => {
    if (name !== null && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS).unref();
  });
  watcher.on('error', () => undefined);
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
