import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and the folders above it. `mkdirSync` with `recursive` never returns in places such as `/proc`,
 * where the system refuses a folder with ENOENT.
 *
 * @param mode permissions of the created folders
 * @throws the error of the file system
 */
export function makeFolder(folder: string, mode?: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process created the folder first.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
