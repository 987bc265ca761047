import process from 'node:process';

/** The maximum lifetime, in milliseconds. It exceeds the duration of the longest soak test. */
const MAX_LIFETIME_MS = 30 * 60_000;

/** Keeps the process alive until it is killed, or until its maximum lifetime if a failed test does not kill it. */
export function stayAlive(): void {
  setTimeout(() => process.exit(0), MAX_LIFETIME_MS);
}
