import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Makes a file that does not exist yet. Returns false when the file exists.
 *
 * @param write writes the text to the open file
 * @throws the error of the file system; then there is no file
 */
export function isMade(
  file: string,
  text: string,
  write: (descriptor: number, text: string) => void = writeFileSync,
): boolean {
  const descriptor = opened(file);
  if (descriptor === undefined) return false;
  try {
    write(descriptor, text);
    return true;
  } catch (error) {
    // On a full disk the file was made and its text was not.
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
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}
