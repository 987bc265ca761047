import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { writeStderr } from '../base/terminal-output.js';

/** Exits the process when a write to stdout fails. A closed pipe, as with `| head`, counts as success. */
export function exitOnOutputError(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isClosedPipe = error.code === 'EPIPE';
    if (!isClosedPipe) writeStderr(`mcpmux: the output could not be written: ${error.message}\n`);
    process.exit(isClosedPipe ? ExitCode.Ok : ExitCode.Failed);
  });
}
