import { constants } from 'node:os';
import process from 'node:process';

const END_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Installs signal handlers. The first signal shuts mcpmux down cleanly. A second signal ends the process immediately,
 * and the process guard then ends the servers.
 *
 * @param onFirst receives the exit code, which is 128 plus the signal's number
 */
export function handleSignals(onFirst: (exitCode: number) => void): void {
  let isEnding = false;
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      const exitCode = 128 + constants.signals[signal];
      if (isEnding) process.exit(exitCode);
      isEnding = true;
      onFirst(exitCode);
    });
  }
  // Without a handler, SIGUSR1 makes Node.js open its debugger port, which other local processes can connect to.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
}
