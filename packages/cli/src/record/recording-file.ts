import { closeSync, openSync, writeSync } from 'node:fs';
import { format, parse } from 'node:path';

import { errorCodeOf } from '@mcpmux/core';

/** The size at which a recording ends. The server goes on. */
const MAX_BYTES = 256 * 1024 * 1024;
const OWNER_ONLY = 0o600;

/** The file of a recording. A failure to write ends the recording, and never the server. */
export class RecordingFile {
  private left = MAX_BYTES;
  private state: 'open' | 'closed' = 'open';

  /** @param descriptor is closed with the recording */
  constructor(
    readonly path: string,
    private readonly descriptor: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * Creates a file for this user only. If the file exists, the next free name is used, such as `bug-2.ndjson`: a
   * recording never replaces another.
   *
   * @throws the error of the system if no file can be created
   */
  static create(path: string, onFailure: (error: unknown) => void): RecordingFile {
    for (let count = 1; ; count += 1) {
      const free = numbered(path, count);
      try {
        return new RecordingFile(free, openSync(free, 'wx', OWNER_ONLY), onFailure);
      } catch (error) {
        if (errorCodeOf(error) !== 'EEXIST') throw error;
      }
    }
  }

  write(record: string): void {
    this.left -= Buffer.byteLength(record) + 1;
    if (this.left <= 0 || this.state === 'closed') return;
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
      // The failure of a write was reported.
    }
  }
}

function numbered(path: string, count: number): string {
  if (count === 1) return path;
  const { dir, name, ext } = parse(path);
  return format({ dir, name: `${name}-${count}`, ext });
}
