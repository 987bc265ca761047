import { copyFileSync, constants, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { errorCodeOf } from '@mcpmux/core';

/** The maximum number of backups of a file, including the first, which mcpmux made before its first change. */
const MAX_BACKUPS = 5;
const TIMESTAMP = /^\d{8}T\d{6}Z(?:-\d+)?$/;

/**
 * Copies a file to a backup in the same folder, and never replaces another backup. Deletes old backups, except the
 * first and the latest ones.
 *
 * @param now milliseconds since 1970
 * @returns the path of the backup
 * @throws a file system error
 */
export function backUp(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const copy = `${file}.bak-mcpmux-${stamp}`;
  for (let attempt = 0; ; attempt += 1) {
    const path = attempt === 0 ? copy : `${copy}-${attempt}`;
    try {
      copyFileSync(file, path, constants.COPYFILE_EXCL);
      removeSurplusBackups(file);
      return path;
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error;
    }
  }
}

/**
 * Deletes the oldest backups above the limit, except the first one. Sorts the backups by the time in their names.
 * Ignores errors, because surplus backups do no harm.
 */
function removeSurplusBackups(file: string): void {
  const prefix = `${basename(file)}.bak-mcpmux-`;
  try {
    const copies = readdirSync(dirname(file)).filter(
      (name) => name.startsWith(prefix) && TIMESTAMP.test(name.slice(prefix.length)),
    );
    const surplus = copies.toSorted().slice(1, 1 - MAX_BACKUPS);
    for (const name of surplus) rmSync(join(dirname(file), name), { force: true });
  } catch {
    // The new backup already exists, so errors are ignored.
  }
}
