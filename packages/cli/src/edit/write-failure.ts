import { ReadOnlyFileError } from '../files/atomic-write.js';
import { FileLockedError } from '../files/file-lock.js';
import { CommandError } from '../terminal/command-error.js';

/** Converts a failed write's error to a CommandError. Returns an unrelated error unchanged. */
export function toWriteError(file: string, error: unknown): unknown {
  if (error instanceof ReadOnlyFileError) {
    return new CommandError(
      'FILE_READ_ONLY',
      `${file} is read-only (mode ${error.mode.toString(8).padStart(4, '0')}); it is unchanged.`,
      { next: `to let mcpmux change the file: chmod u+w ${file}` },
    );
  }
  if (error instanceof FileLockedError) {
    return new CommandError('FILE_LOCKED', `another mcpmux is writing ${file}; this command wrote nothing.`, {
      next: `try again; if no other mcpmux is running, delete ${error.lock}`,
    });
  }
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return new CommandError(
    'WRITE_FAILED',
    `${file} cannot be written (${String(error.code)}); it is unchanged.`,
    { next: 'check the permissions of the file and of its folder.' },
  );
}

/** Returns the error for a file that another program changed between the read and the write. */
export function fileChangedError(file: string): CommandError {
  return new CommandError(
    'FILE_CHANGED',
    `another program has changed ${file} meanwhile; this command wrote nothing.`,
    { next: 'run the command again.' },
  );
}
