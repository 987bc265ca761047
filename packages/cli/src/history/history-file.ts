import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { withFileLock } from '../files/file-lock.js';
import { makeFolder } from '../files/make-folder.js';
import { replaceFile } from '../files/replace-file.js';
import { stateFolder, type StateContext } from '../files/state-folder.js';
import { parseHistoryLine, type HistoryLine } from './stored-call.js';

const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;

/** The history of calls: a current and an older file in the state folder. Several processes may append concurrently. */
export class HistoryFile {
  readonly path: string;
  private readonly olderPath: string;

  constructor(places: StateContext) {
    const folder = stateFolder(places);
    this.path = join(folder, 'history.ndjson');
    this.olderPath = join(folder, 'history.1.ndjson');
  }

  /**
   * Appends lines. If the current file is larger than half of `maxBytes`, first replaces the older file with it.
   *
   * @throws a file system error, or FileLockedError
   */
  async append(lines: readonly string[], maxBytes: number): Promise<void> {
    makeFolder(dirname(this.path), PRIVATE_FOLDER_MODE);
    const isFull = async (): Promise<boolean> => (await this.size()) > maxBytes / 2;
    if (await isFull())
      await withFileLock(this.path, async () => {
        // Another process may have moved the file while this one waited for the lock.
        if (await isFull()) replaceFile(this.path, this.olderPath);
      });
    const encodedLines = Buffer.from(prefixedLines(lines));
    const handle = await open(this.path, 'a', PRIVATE_FILE_MODE);
    try {
      // A single write appends all lines, so that lines from other processes cannot come between them.
      const { bytesWritten } = await handle.write(encodedLines);
      if (bytesWritten < encodedLines.length) throw new Error('there is no space left');
    } finally {
      await handle.close();
    }
  }

  /**
   * Appends lines synchronously while this process exits. Ignores the size limit.
   *
   * @throws a file system error
   */
  appendNow(lines: readonly string[]): void {
    makeFolder(dirname(this.path), PRIVATE_FOLDER_MODE);
    appendFileSync(this.path, prefixedLines(lines), { mode: PRIVATE_FILE_MODE });
  }

  /**
   * Returns the lines of both files, oldest first.
   *
   * @param tail the number of bytes to read from the end of the history
   * @throws a file system error, but not for a missing file
   */
  read(tail = Number.POSITIVE_INFINITY): readonly HistoryLine[] {
    const newerText = readTail(this.path, tail);
    const olderText = readTail(this.olderPath, tail - newerText.length);
    return `${olderText}\n${newerText}`.split('\n').flatMap((text) => parseHistoryLine(text) ?? []);
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
function prefixedLines(lines: readonly string[]): string {
  return lines.map((line) => `\n${line}`).join('');
}

function readTail(file: string, length: number): string {
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
