import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const MAX_LINKS = 40;

/**
 * Resolves the symbolic links of a path, even if the final target does not exist yet.
 *
 * @throws a file system error for a cycle of links
 */
export function resolveLinks(file: string): string {
  let current = file;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return current;
    current = resolve(realpathSync(dirname(current)), readlinkSync(current));
  }
  return realpathSync(file);
}
