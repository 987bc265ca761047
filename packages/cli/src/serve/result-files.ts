import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { messageOf, type Logger } from '@mcpmux/core';
import type { ResultFiles } from '@mcpmux/core/guards';

import { isProcessAlive } from '../base/is-alive.js';
import { findPrivacyProblem } from '../live/instance-folder.js';

const FOLDER_PREFIX = 'mcpmux-results-';
const FOLDER_NAME = /^mcpmux-results-(\d+)-/;
/** A folder younger than this is not deleted, because its process may be alive in another PID namespace. */
const MIN_DELETE_AGE_MS = 24 * 60 * 60 * 1000;
const JSON_START_BYTES: ReadonlySet<number | undefined> = new Set([0x5b, 0x7b]);

/**
 * Writes long results to a private folder of this process. The folder is created for the first result and deleted when
 * the process exits. If the process is killed, a later process deletes the folder after a day.
 *
 * @param parent where the folder is created
 */
export function createResultFiles(logger: Logger, parent = tmpdir()): ResultFiles {
  let folder: string | undefined;
  const pathsByHandle = new Map<string, readonly string[]>();
  return {
    save: async (handle, parts) => {
      try {
        folder ??= createOwnFolder(parent);
        const paths = parts.map((part, index) => join(folder ?? parent, fileNameFor(handle, part, index)));
        pathsByHandle.set(handle, paths);
        for (const [index, part] of parts.entries())
          await writeFile(paths[index] ?? '', part, { mode: 0o600, flag: 'wx' });
        return paths;
      } catch (error) {
        logger.log('warn', 'a long result cannot be written to a file', { problem: messageOf(error) });
        return [];
      }
    },
    remove: (handle) => {
      const paths = pathsByHandle.get(handle) ?? [];
      pathsByHandle.delete(handle);
      for (const path of paths) void rm(path, { force: true }).catch(() => undefined);
    },
  };
}

function fileNameFor(handle: string, part: Buffer, index: number): string {
  const extension = JSON_START_BYTES.has(part[0]) ? 'json' : 'txt';
  return `${handle}${index === 0 ? '' : `-${index + 1}`}.${extension}`;
}

function createOwnFolder(parent: string): string {
  deleteFoldersOfEndedProcesses(parent);
  const folder = mkdtempSync(join(parent, `${FOLDER_PREFIX}${process.pid}-`));
  chmodSync(folder, 0o700);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function deleteFoldersOfEndedProcesses(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = FOLDER_NAME.exec(name)?.[1];
    if (pid === undefined || isProcessAlive(Number(pid))) continue;
    const folder = join(parent, name);
    try {
      if (isPrivate(folder) && Date.now() - lstatSync(folder).mtimeMs > MIN_DELETE_AGE_MS)
        rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process deleted the folder first.
    }
  }
}

/** True if only this user can access a folder. If others can access it, another program may have created it. */
function isPrivate(folder: string): boolean {
  return findPrivacyProblem(folder, { platform: process.platform, user: process.getuid?.() }) === undefined;
}
