import { ReadOnlyFileError } from '../files/atomic-write.js';
import { FileLockedError } from '../files/file-lock.js';
import { CommandError } from '../terminal/command-error.js';

/** Why a file could not be written; it is as it was. Anything that is no matter of files is given back as it is. */
export function writeFailed(file: string, error: unknown): unknown {
  if (error instanceof ReadOnlyFileError) {
    return new CommandError(
      'FILE_READ_ONLY',
      `${file} is read-only (mode ${error.mode.toString(8).padStart(4, '0')}); it is as it was.`,
      { next: `if it is to be changed, make it writable: chmod u+w ${file}` },
    );
  }
  if (error instanceof FileLockedError) {
    return new CommandError('FILE_LOCKED', `${file} is being changed by another mcpmux; it is as it was.`, {
      next: `try again; if no other mcpmux runs, delete ${error.lock}`,
    });
  }
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return new CommandError(
    'WRITE_FAILED',
    `${file} cannot be written (${String(error.code)}); it is as it was.`,
    { next: 'check the permissions of the file and of its folder.' },
  );
}

/** Between the look at a file and the write, somebody else has changed it. */
export function changedMeanwhile(file: string): CommandError {
  return new CommandError(
    'FILE_CHANGED',
    `${file} was changed by another program meanwhile; it is as that program has left it.`,
    { next: 'run the command again.' },
  );
}
