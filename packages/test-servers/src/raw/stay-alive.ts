import process from 'node:process';

const LONGEST_LIFE_MS = 10 * 60_000;

/** Keeps the process alive until it is killed; the limit is for tests that fail and forget it. */
export function stayAlive(): void {
  setTimeout(() => process.exit(0), LONGEST_LIFE_MS);
}
