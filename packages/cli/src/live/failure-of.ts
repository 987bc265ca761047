import { ClientFileError, type ClientFileErrorCode } from '@mcpmux/clients';
import { MuxError } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import { CommandError, type CommandFailure } from '../terminal/command-error.js';

const NEXT: Readonly<Record<ClientFileErrorCode, string>> = {
  CLIENT_FILE_UNREADABLE: 'check that it is a file and that its permissions allow it.',
  CLIENT_FILE_INVALID: 'correct the file, or edit it by hand.',
};

/**
 * Converts an expected error to the failure that a command reports. Returns undefined for other errors, which are bugs.
 */
export function failureOf(error: unknown): CommandFailure | undefined {
  if (error instanceof CommandError) return error.failure;
  // A failed call is an error of the server or the running mcpmux, not a bug in this command.
  if (error instanceof MuxError && error.code === 'CALL_FAILED')
    return new CommandError('CALL_FAILED', error.message).failure;
  if (!(error instanceof ClientFileError)) return undefined;
  const { code, message } = error;
  return { code, exitCode: ExitCode.Usage, message, next: NEXT[code] };
}
