import process from 'node:process';

/** Longer than the longest soak. */
const LONGEST_LIFE_MS = 30 * 60_000;

/** Keeps the process alive until it is killed; the limit is for tests that fail and forget it. */
export function stayAlive(): void {
  setTimeout(() => process.exit(0), LONGEST_LIFE_MS);
}
