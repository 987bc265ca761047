import process from 'node:process';

import { writeErr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';

/** The time after a clean shutdown before the process is forced to exit. */
const LAST_RESORT_MS = 1000;

/** Forces the process to exit soon, even if some handle keeps it alive. */
export function endSoon(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), LAST_RESORT_MS).unref();
}

/**
 * Prints uncaught exceptions and exits, because the state of the process is unreliable afterwards. The process guard
 * ends the servers.
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
