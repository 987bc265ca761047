import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const MOST_LINKS = 40;

/**
 * Returns the file that a path leads to through symbolic links, even if the last target does not exist yet.
 *
 * @throws the error of the file system for a cycle of links
 */
export function realFile(file: string): string {
  let current = file;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return current;
    current = resolve(realpathSync(dirname(current)), readlinkSync(current));
  }
  return realpathSync(file);
}
