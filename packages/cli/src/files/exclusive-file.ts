import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';

import { errorCodeOf } from '@mcpmux/core';

/** Writes the contents to an open file descriptor. */
export type WriteContents = (descriptor: number, contents: string | Buffer) => void;

/**
 * Creates a file. Returns false if it already exists.
 *
 * @throws a file system error, after deleting an incomplete file
 */
export function tryCreateFile(
  file: string,
  contents: string | Buffer,
  write: WriteContents = writeFileSync,
): boolean {
  const descriptor = openNewFile(file);
  if (descriptor === undefined) return false;
  try {
    write(descriptor, contents);
    return true;
  } catch (error) {
    // On a full disk, the file has been created, but its contents are incomplete.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function openNewFile(file: string): number | undefined {
  try {
    return openSync(file, 'wx');
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}
