import { readFileSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors write in several steps. Writes within this time are one change. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` when the text of a file has changed, or the file was replaced. Does not keep the process alive.
 *
 * @returns a function that ends the watch
 */
export function watchConfig(file: string, onChange: () => void): () => void {
  let text = textOf(file);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = textOf(file);
    // The file is gone for a moment, or unchanged.
    if (now === undefined || now === text) return;
    text = now;
    onChange();
  };
  // Watches the folder: a watch of the file ends when the file is replaced.
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
