import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { writeStderr } from '../base/terminal-output.js';

/** Ends the process if a write to stdout fails. Unlike a full disk, a closed pipe (`| head`) is not a failure. */
export function exitOnOutputError(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isClosedPipe = error.code === 'EPIPE';
    if (!isClosedPipe) writeStderr(`mcpmux: the output could not be written: ${error.message}\n`);
    process.exit(isClosedPipe ? ExitCode.Ok : ExitCode.Failed);
  });
}
