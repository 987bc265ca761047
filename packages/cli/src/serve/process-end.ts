import process from 'node:process';

import { writeStderr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';

/** How long the process may outlive a clean shutdown, in milliseconds, before it is forced to exit. */
const FORCED_EXIT_DELAY_MS = 1000;

/** Forces the process to exit soon, even if an open handle keeps it alive. */
export function forceExitSoon(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), FORCED_EXIT_DELAY_MS).unref();
}

/** Prints an uncaught error and exits, because state may be inconsistent. The process guard then ends the servers. */
export function exitOnUncaughtError(): void {
  for (const eventName of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(eventName, (error: unknown) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      writeStderr(`mcpmux: ${eventName}: ${reason}\n`);
      process.exit(ExitCode.Internal);
    });
  }
}
