import { ReadOnlyFileError } from '../files/atomic-write.js';
import { FileLockedError } from '../files/file-lock.js';
import { ExitCode } from '../base/exit-code.js';
import { CommandError } from '../terminal/command-error.js';

/** Why a file could not be written; it is as it was. Anything that is no matter of files is given back as it is. */
export function writeFailed(file: string, error: unknown): unknown {
  if (error instanceof ReadOnlyFileError) {
    return failure({
      code: 'FILE_READ_ONLY',
      message: `${file} is read-only (mode ${error.mode.toString(8).padStart(4, '0')}); it is as it was.`,
      next: `if it is to be changed, make it writable: chmod u+w ${file}`,
    });
  }
  if (error instanceof FileLockedError) {
    return failure({
      code: 'FILE_LOCKED',
      message: `${file} is being changed by another mcpmux; it is as it was.`,
      next: `try again; if no other mcpmux runs, delete ${error.lock}`,
    });
  }
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return failure({
    code: 'WRITE_FAILED',
    message: `${file} cannot be written (${String(error.code)}); it is as it was.`,
    next: 'check the permissions of the file and of its folder.',
  });
}

/** Between the look at a file and the write, somebody else has changed it. */
export function changedMeanwhile(file: string): CommandError {
  return failure({
    code: 'FILE_CHANGED',
    message: `${file} was changed by another program meanwhile; it is as that program has left it.`,
    next: 'run the command again.',
  });
}

function failure(told: {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}): CommandError {
  return new CommandError({ ...told, exitCode: ExitCode.Failed });
}
