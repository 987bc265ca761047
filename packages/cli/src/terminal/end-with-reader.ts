import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { writeErr } from '../base/terminal-output.js';

/** From now on a reader that has gone (`| head`) ends the process, which is no failure; a full disk is one. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isGone = error.code === 'EPIPE';
    if (!isGone) writeErr(`mcpmux: the output could not be written: ${error.message}\n`);
    process.exit(isGone ? ExitCode.Ok : ExitCode.Failed);
  });
}
