import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { writeErr } from '../base/terminal-output.js';

/** Ends the process when stdout cannot be written. A closed pipe (`| head`) is not a failure, but a full disk is. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isGone = error.code === 'EPIPE';
    if (!isGone) writeErr(`mcpmux: the output could not be written: ${error.message}\n`);
    process.exit(isGone ? ExitCode.Ok : ExitCode.Failed);
  });
}
