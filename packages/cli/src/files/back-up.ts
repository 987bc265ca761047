import { copyFileSync, constants, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { errorCodeOf } from '@mcpmux/core';

/** The maximum number of backups of a file. The first, from before mcpmux changed the file, is never deleted. */
const MAX_BACKUPS = 5;
const TIMESTAMP = /^\d{8}T\d{6}Z(?:-\d+)?$/;

/**
 * Copies a file to a new backup in the same folder, without overwriting an existing backup. If there are too many
 * backups, deletes the oldest ones, but never the first.
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

function removeSurplusBackups(file: string): void {
  const prefix = `${basename(file)}.bak-mcpmux-`;
  try {
    const copies = readdirSync(dirname(file)).filter(
      (name) => name.startsWith(prefix) && TIMESTAMP.test(name.slice(prefix.length)),
    );
    const surplus = copies.toSorted().slice(1, 1 - MAX_BACKUPS);
    for (const name of surplus) rmSync(join(dirname(file), name), { force: true });
  } catch {
    // The new backup already exists, and surplus backups do no harm.
  }
}
