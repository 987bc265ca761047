import process from 'node:process';

import { writeErr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';

/** The time after which the process is ended, if something keeps it alive after an orderly end. */
const LAST_RESORT_MS = 1000;

/** Ends the process, if something keeps it alive. */
export function endSoon(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), LAST_RESORT_MS).unref();
}

/**
 * Prints the reason and exits after an uncaught exception, because no state is reliable then. The process guard ends
 * the servers.
 */
export function exitOnDefect(): void {
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      writeErr(`mcpmux: ${kind}: ${reason}\n`);
      process.exit(ExitCode.Internal);
    });
  }
}
