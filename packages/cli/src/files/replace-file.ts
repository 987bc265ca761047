import { renameSync } from 'node:fs';
import process from 'node:process';

import { errorCodeOf } from '@mcpmux/core';

/** The Windows error codes for a file that another program has open. */
const IN_USE_ERROR_CODES: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM']);
const MAX_TRIES = 20;
const RETRY_DELAY_MS = 25;

/** The platform and the rename function. Tests pass substitutes. */
const SYSTEM = {
  platform: process.platform,
  rename: (from: string, to: string): void => renameSync(from, to),
};

/**
 * Renames a file, overwriting any file at the new path. Retries for half a second on Windows, where a file cannot be
 * replaced while a client or a virus scanner reads it.
 *
 * @throws a file system error
 */
export function replaceFile(from: string, to: string, { platform, rename } = SYSTEM): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      const isInUse = IN_USE_ERROR_CODES.has(errorCodeOf(error) ?? '');
      if (platform !== 'win32' || !isInUse || tries === MAX_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS);
    }
  }
}
