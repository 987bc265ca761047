import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';

import { errorCodeOf } from '@mcpmux/core';

/** Writes the contents of an open file. */
export type WriteContents = (descriptor: number, contents: string | Buffer) => void;

/**
 * Creates a file that does not exist yet. Returns false if the file exists.
 *
 * @throws the error of the file system; no file remains then
 */
export function isMade(
  file: string,
  contents: string | Buffer,
  write: WriteContents = writeFileSync,
): boolean {
  const descriptor = opened(file);
  if (descriptor === undefined) return false;
  try {
    write(descriptor, contents);
    return true;
  } catch (error) {
    // On a full disk the file was created, but its text was not written.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function opened(file: string): number | undefined {
  try {
    return openSync(file, 'wx');
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}
