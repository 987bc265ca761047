import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { withFileLock } from '../files/file-lock.js';
import { makeFolder } from '../files/make-folder.js';
import { replaceFile } from '../files/replace-file.js';
import { stateFolder, type StatePlaces } from '../files/state-folder.js';
import { historyLine, type HistoryLine } from './stored-call.js';

const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;

/**
 * The history of calls in the state folder, which consists of a current and an older file. Several processes append to
 * it concurrently.
 */
export class HistoryFile {
  readonly path: string;
  private readonly older: string;

  constructor(places: StatePlaces) {
    const folder = stateFolder(places);
    this.path = join(folder, 'history.ndjson');
    this.older = join(folder, 'history.1.ndjson');
  }

  /**
   * Appends lines. If the current file exceeds half of `maxBytes`, first moves it over the older file.
   *
   * @throws a file system error, or FileLockedError
   */
  async append(lines: readonly string[], maxBytes: number): Promise<void> {
    makeFolder(dirname(this.path), PRIVATE_FOLDER);
    const isFull = async (): Promise<boolean> => (await this.size()) > maxBytes / 2;
    if (await isFull())
      await withFileLock(this.path, async () => {
        // Another process may have moved the file in the meantime.
        if (await isFull()) replaceFile(this.path, this.older);
      });
    const bytes = Buffer.from(textOf(lines));
    const handle = await open(this.path, 'a', PRIVATE);
    try {
      // One system call appends all lines, so that no line of another process can come between them.
      const { bytesWritten } = await handle.write(bytes);
      if (bytesWritten < bytes.length) throw new Error('there is no space left');
    } finally {
      await handle.close();
    }
  }

  /**
   * Appends lines synchronously, for use when this process exits.
   *
   * @throws a file system error
   */
  appendNow(lines: readonly string[]): void {
    makeFolder(dirname(this.path), PRIVATE_FOLDER);
    appendFileSync(this.path, textOf(lines), { mode: PRIVATE });
  }

  /**
   * Returns the lines, oldest first.
   *
   * @param tail the number of bytes to read from the end of the history
   * @throws a file system error, unless the file is missing
   */
  read(tail = Number.POSITIVE_INFINITY): readonly HistoryLine[] {
    const newer = tailOf(this.path, tail);
    const older = tailOf(this.older, tail - newer.length);
    return `${older}\n${newer}`.split('\n').flatMap((text) => historyLine(text) ?? []);
  }

  private async size(): Promise<number> {
    try {
      return (await stat(this.path)).size;
    } catch {
      return 0;
    }
  }
}

/** Puts a line feed before each line, so that a line truncated by a crash does not corrupt the next line. */
function textOf(lines: readonly string[]): string {
  return lines.map((line) => `\n${line}`).join('');
}

function tailOf(file: string, length: number): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.max(0, Math.min(size, length)));
    const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8', 0, read);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
