import { constants } from 'node:os';
import process from 'node:process';

const END_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Handles signals. The first signal shuts mcpmux down cleanly. The second signal exits immediately, and the process
 * guard ends the servers.
 *
 * @param onFirst receives the exit code, which is 128 plus the number of the signal
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
  // Without a handler, this signal would open Node's debugger port for every process of the same user.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
}
