import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { makeFolder } from './make-folder.js';
import { realFile } from './real-file.js';

const PRIVATE = 0o600;
const PERMISSIONS = 0o777;
const WRITABLE = 0o222;

/** A file whose permissions forbid to write it: whoever set them so did not want it replaced. */
export class ReadOnlyFileError extends Error {
  override readonly name = 'ReadOnlyFileError';

  constructor(
    readonly file: string,
    /** Its permissions, such as 0o444. */
    readonly mode: number,
  ) {
    super(`${file} is read-only`);
  }
}

/**
 * Writes a file as a whole or not at all: a reader sees the old text or the new one. Follows a symbolic link, keeps the
 * permissions there were; a new file can be read by its owner only, since configs hold secrets.
 *
 * @throws ReadOnlyFileError, and the error of the file system; nothing is left behind then
 */
export function writeAtomically(file: string, text: string): void {
  const target = realFile(file);
  const mode = writableMode(target);
  // As in a shell, a link to a folder that is not there makes none.
  if (target === file) makeFolder(dirname(target));
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = openSync(temporary, 'wx', PRIVATE);
    try {
      // The mask of new files has no part in the permissions of one that was there.
      if (mode !== undefined) fchmodSync(handle, mode);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * The permissions of a file that may be written; undefined when it is not there.
 *
 * @throws ReadOnlyFileError
 */
export function writableMode(target: string): number | undefined {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const mode = stats.mode & PERMISSIONS;
  // Root may write anything, also what it was told not to.
  if ((mode & WRITABLE) === 0) throw new ReadOnlyFileError(target, mode);
  try {
    accessSync(target, constants.W_OK);
  } catch {
    throw new ReadOnlyFileError(target, mode);
  }
  return mode;
}
