import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and any missing parents. A recursive `mkdirSync` would never return where the system rejects a new
 * folder with ENOENT, as in `/proc`.
 *
 * @param mode permissions of the created folders
 * @throws a file system error
 */
export function makeFolder(folder: string, mode?: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // The error is harmless if another process has created the folder.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
