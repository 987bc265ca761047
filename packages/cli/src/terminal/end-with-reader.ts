import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { writeErr } from '../base/terminal-output.js';

/** Ends the process when stdout cannot be written: a closed pipe (`| head`) is no failure, a full disk is one. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isGone = error.code === 'EPIPE';
    if (!isGone) writeErr(`mcpmux: the output could not be written: ${error.message}\n`);
    process.exit(isGone ? ExitCode.Ok : ExitCode.Failed);
  });
}
