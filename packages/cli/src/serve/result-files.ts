import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { messageOf, type Logger } from '@mcpmux/core';
import type { ResultFiles } from '@mcpmux/core/guards';

import { isAlive } from '../base/is-alive.js';
import { checkPrivate } from '../live/instance-folder.js';

const PREFIX = 'mcpmux-results-';
const OF_PROCESS = /^mcpmux-results-(\d+)-/;
/** A process elsewhere that shares the folder for temporary files has a number that is not seen here. */
const OLD_MS = 24 * 60 * 60 * 1000;
const OPEN_BRACES: ReadonlySet<number | undefined> = new Set([0x5b, 0x7b]);

/**
 * Writes long results to a folder of this process, for this user alone. The folder is created for the first result and
 * deleted at the end of the process; later processes delete what a killed one left, after a day.
 *
 * @param above the folder for the folder; that for temporary files when absent
 */
export function resultFiles(logger: Logger, above = tmpdir()): ResultFiles {
  let folder: string | undefined;
  const names = new Map<string, readonly string[]>();
  return {
    save: async (handle, parts) => {
      try {
        folder ??= ownFolder(above);
        const paths = parts.map((part, index) => join(folder ?? above, nameOf(handle, part, index)));
        names.set(handle, paths);
        for (const [index, part] of parts.entries())
          await writeFile(paths[index] ?? '', part, { mode: 0o600, flag: 'wx' });
        return paths;
      } catch (error) {
        logger.log('warn', 'a long result cannot be written to a file', { problem: messageOf(error) });
        return [];
      }
    },
    remove: (handle) => {
      const paths = names.get(handle) ?? [];
      names.delete(handle);
      for (const path of paths) void rm(path, { force: true }).catch(() => undefined);
    },
  };
}

function nameOf(handle: string, part: Buffer, index: number): string {
  const extension = OPEN_BRACES.has(part[0]) ? 'json' : 'txt';
  return `${handle}${index === 0 ? '' : `-${index + 1}`}.${extension}`;
}

function ownFolder(above: string): string {
  deleteFoldersOfEndedProcesses(above);
  const folder = mkdtempSync(join(above, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o700);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function deleteFoldersOfEndedProcesses(above: string): void {
  for (const name of readdirSync(above)) {
    const pid = OF_PROCESS.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(above, name);
    try {
      if (isOwn(folder) && Date.now() - lstatSync(folder).mtimeMs > OLD_MS)
        rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process has deleted it.
    }
  }
}

/** False for a folder that any other program may have put there: mcpmux gives its folders to one user alone. */
function isOwn(folder: string): boolean {
  return checkPrivate(folder, { platform: process.platform, user: process.getuid?.() }) === undefined;
}
