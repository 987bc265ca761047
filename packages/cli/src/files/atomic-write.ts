import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { makeFolder } from './make-folder.js';
import { realFile } from './real-file.js';

const PRIVATE = 0o600;

/**
 * Writes a file as a whole or not at all: a reader sees the old text or the new one. Follows a symbolic link, keeps the
 * permissions there were; a new file can be read by its owner only, since configs hold secrets.
 *
 * @throws the error of the file system; nothing is left behind then
 */
export function writeAtomically(file: string, text: string): void {
  const target = realFile(file);
  // As in a shell, a link to a folder that is not there makes none.
  if (target === file) makeFolder(dirname(target));
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  try {
    const handle = openSync(temporary, 'wx', mode === undefined ? PRIVATE : mode & 0o777);
    try {
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
