import process from 'node:process';

/** A log that cannot be written (a full disk, a reader that has gone) is no reason to end: without a listener it was. */
export function ignoreStderrErrors(): void {
  process.stderr.on('error', () => undefined);
}
