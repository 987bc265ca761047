import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE = 0o600;

/**
 * Writes a file as a whole or not at all: a reader sees the old text or the new one. Follows a symbolic link, keeps the
 * permissions there were; a new file can be read by its owner only, since configs hold secrets.
 *
 * @throws the error of the file system; nothing is left behind then
 */
export function writeAtomically(file: string, text: string): void {
  const target = realFile(file);
  mkdirSync(dirname(target), { recursive: true });
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

function realFile(file: string): string {
  return statSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file);
}
