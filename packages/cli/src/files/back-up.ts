import { copyFileSync, constants, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { errorCodeOf } from '@mcpmux/core';

/** The number of copies of one file that are kept: the first, from before mcpmux, and the latest ones. */
const MAX_COPIES = 5;
const STAMP = /^\d{8}T\d{6}Z(?:-\d+)?$/;

/**
 * Copies a file into the file's own folder, and never replaces another copy. Only the first copy and the latest ones
 * are kept.
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
      removeSurplus(file);
      return path;
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/**
 * Removes copies above the limit. Copies sort by the time in their names. If a copy cannot be removed, it stays without
 * harm.
 */
function removeSurplus(file: string): void {
  const prefix = `${basename(file)}.bak-mcpmux-`;
  try {
    const copies = readdirSync(dirname(file)).filter(
      (name) => name.startsWith(prefix) && STAMP.test(name.slice(prefix.length)),
    );
    const surplus = copies.toSorted().slice(1, 1 - MAX_COPIES);
    for (const name of surplus) rmSync(join(dirname(file), name), { force: true });
  } catch {
    // The backup already exists, so an error here is ignored.
  }
}
