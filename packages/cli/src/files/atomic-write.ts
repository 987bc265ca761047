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

/** The error for a file whose permissions forbid writes. Replacing the file would ignore these permissions. */
export class ReadOnlyFileError extends Error {
  override readonly name = 'ReadOnlyFileError';

  constructor(
    readonly file: string,
    /** The permissions of the file, such as 0o444. */
    readonly mode: number,
  ) {
    super(`${file} is read-only`);
  }
}

/**
 * Writes a file atomically, so that a reader gets either the old or the new text. Follows symbolic links and preserves
 * permissions. Only the owner can read a new file, because configs contain secrets.
 *
 * @throws ReadOnlyFileError or a file system error; no temporary file remains
 */
export function writeAtomically(file: string, text: string): void {
  const target = resolveLinks(file);
  const mode = writableMode(target);
  // As in a shell, writing through a link into a missing folder does not create the folder.
  if (target === file) makeFolder(dirname(target));
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = openSync(temporary, 'wx', PRIVATE_MODE);
    try {
      // The umask must not change the permissions of an existing file.
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
 * Returns the permissions of a writable file, or undefined if the file does not exist.
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
