import { constants } from 'node:os';
import process from 'node:process';

const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Handles signals. The first signal ends mcpmux in order. The second signal ends it at once, and the process guard ends
 * the servers.
 *
 * @param onFirst called with the exit code, which is 128 plus the signal's number
 */
export function handleSignals(onFirst: (exitCode: number) => void): void {
  let seen = false;
  for (const signal of ENDING) {
    process.on(signal, () => {
      const exitCode = 128 + constants.signals[signal];
      if (seen) process.exit(exitCode);
      seen = true;
      onFirst(exitCode);
    });
  }
  // Without a handler, this signal opens Node's debugger port to every process of the same user.
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
}
