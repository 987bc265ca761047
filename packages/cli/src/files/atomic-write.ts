import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { makeFolder } from './make-folder.js';
import { resolveLinks } from './real-file.js';
import { replaceFile } from './replace-file.js';

const PRIVATE_MODE = 0o600;
const PERMISSION_BITS = 0o777;
const WRITE_BITS = 0o222;

/** Thrown for a read-only file, because replacing the file would bypass its permissions. */
export class ReadOnlyFileError extends Error {
  override readonly name = 'ReadOnlyFileError';

  constructor(
    readonly file: string,
    /** The file's permission bits, such as 0o444. */
    readonly mode: number,
  ) {
    super(`${file} is read-only`);
  }
}

/**
 * Writes a file atomically, so that a reader gets either the old or the new text. Follows symbolic links and preserves
 * an existing file's permissions. Only its owner can read a new file, because configs contain secrets.
 *
 * @throws ReadOnlyFileError or a file system error, after deleting the temporary file
 */
export function writeAtomically(file: string, text: string): void {
  const target = resolveLinks(file);
  const mode = writableMode(target);
  // As in a shell, writing through a symbolic link does not create its missing target folder.
  if (target === file) makeFolder(dirname(target));
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = openSync(temporary, 'wx', PRIVATE_MODE);
    try {
      // Restores the existing file's permissions. Unlike a mode passed to `openSync`, this ignores the umask.
      if (mode !== undefined) fchmodSync(handle, mode);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    replaceFile(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Returns a writable file's permission bits, or undefined if the file does not exist.
 *
 * @throws ReadOnlyFileError
 */
export function writableMode(target: string): number | undefined {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const mode = stats.mode & PERMISSION_BITS;
  // `accessSync` alone does not suffice, because it succeeds for root on read-only files.
  if ((mode & WRITE_BITS) === 0) throw new ReadOnlyFileError(target, mode);
  try {
    accessSync(target, constants.W_OK);
  } catch {
    throw new ReadOnlyFileError(target, mode);
  }
  return mode;
}
