import { copyFileSync, constants } from 'node:fs';

/**
 * Copies a file into its own folder, and never replaces another copy.
 *
 * @param now milliseconds since 1970
 * @returns the path of the copy
 * @throws the error of the file system
 */
export function backUp(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const copy = `${file}.bak-mcpmux-${stamp}`;
  for (let attempt = 0; ; attempt += 1) {
    const path = attempt === 0 ? copy : `${copy}-${attempt}`;
    try {
      copyFileSync(file, path, constants.COPYFILE_EXCL);
      return path;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
