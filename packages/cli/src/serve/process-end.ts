import process from 'node:process';

import { writeErr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';

/** After an orderly end nothing should keep the process alive. If something does, the process is ended. */
const LAST_RESORT_MS = 1000;

/** Ends the process, should anything keep it alive. */
export function endSoon(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), LAST_RESORT_MS).unref();
}

/** After an uncaught exception no state is reliable: print the reason and exit. The process guard ends the servers. */
export function exitOnDefect(): void {
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      writeErr(`mcpmux: ${kind}: ${reason}\n`);
      process.exit(ExitCode.Internal);
    });
  }
}
