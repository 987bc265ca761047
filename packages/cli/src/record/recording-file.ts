import { closeSync, openSync, writeSync } from 'node:fs';
import { format, parse } from 'node:path';

import { errorCodeOf } from '@mcpmux/core';

/** The maximum size of a recording, in bytes. Later records are dropped, but the server continues. */
const MAX_BYTES = 256 * 1024 * 1024;
const OWNER_ONLY_MODE = 0o600;

/** The file of a recording. A failed write closes the file, but the server continues. */
export class RecordingFile {
  private remainingBytes = MAX_BYTES;
  private state: 'open' | 'closed' = 'open';

  /** @param descriptor the descriptor of the open file, which `close` closes */
  constructor(
    readonly path: string,
    private readonly descriptor: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * Creates a file that only this user can access. Never overwrites an existing file, but uses the next free name, such
   * as `bug-2.ndjson`.
   *
   * @throws a system error if no file can be created
   */
  static create(path: string, onFailure: (error: unknown) => void): RecordingFile {
    for (let count = 1; ; count += 1) {
      const freePath = numberedPath(path, count);
      try {
        return new RecordingFile(freePath, openSync(freePath, 'wx', OWNER_ONLY_MODE), onFailure);
      } catch (error) {
        if (errorCodeOf(error) !== 'EEXIST') throw error;
      }
    }
  }

  write(record: string): void {
    this.remainingBytes -= Buffer.byteLength(record) + 1;
    if (this.remainingBytes <= 0 || this.state === 'closed') return;
    try {
      writeSync(this.descriptor, `${record}\n`);
    } catch (error) {
      this.close();
      this.onFailure(error);
    }
  }

  close(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    try {
      closeSync(this.descriptor);
    } catch {
      // This error is ignored, because a failed write has already been reported.
    }
  }
}

function numberedPath(path: string, count: number): string {
  if (count === 1) return path;
  const { dir, name, ext } = parse(path);
  return format({ dir, name: `${name}-${count}`, ext });
}
