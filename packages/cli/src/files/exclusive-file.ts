import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';

import { errorCodeOf } from '@mcpmux/core';

/** Writes contents to an open file. */
export type WriteContents = (descriptor: number, contents: string | Buffer) => void;

/**
 * Creates a file, unless it exists. Returns true if the file was created.
 *
 * @throws a file system error; no file remains
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
    // On a full disk, the file can be created but not written.
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
