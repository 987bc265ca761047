import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder } from '../files/make-folder.js';
import { stateFolder, type StatePlaces } from '../files/state-folder.js';
import type { BundleArchive } from './bundle-archive.js';

const UNFINISHED = 'unfinished-';
/** No bundle takes so long to unpack. */
const ABANDONED_MS = 86_400_000;

/** The folders of the unpacked bundles of one server of a config. Another bundle gets another folder. */
export class BundleFolders {
  private readonly above: string;
  private readonly prefix: string;

  constructor(config: string, server: string, places: StatePlaces) {
    this.above = join(stateFolder(places), 'bundles');
    // The name of a server may have characters that a file cannot have.
    this.prefix = `${server.replaceAll(/[^\w-]/g, '-').slice(0, 50)}-${digest(`${config}\n${server}`)}-`;
  }

  of({ bytes }: Pick<BundleArchive, 'bytes'>): string {
    return join(this.above, `${this.prefix}${digest(bytes)}`);
  }

  /**
   * Unpacks a bundle, unless it is already unpacked. A folder that exists is complete. Deletes what ended processes left
   * half unpacked.
   *
   * @param program a file that can be run
   * @returns true if the folder is new
   * @throws Error with a sentence about the problem, or the error of the file system
   */
  async fill(archive: BundleArchive, program?: string): Promise<boolean> {
    const folder = this.of(archive);
    if (existsSync(folder)) return false;
    const unfinished = join(this.above, `${UNFINISHED}${randomUUID()}`);
    makeFolder(unfinished, 0o700);
    this.deleteAbandoned();
    try {
      await archive.unpack(unfinished, program);
      renameSync(unfinished, folder);
      return true;
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      throw error;
    }
  }

  /** Deletes the folders of the server for which the predicate is true. */
  delete(isMeant: (folder: string) => boolean = () => true): void {
    this.deleteWith(this.prefix, isMeant);
  }

  private deleteAbandoned(): void {
    const before = Date.now() - ABANDONED_MS;
    this.deleteWith(UNFINISHED, (folder) => {
      return (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < before;
    });
  }

  private deleteWith(prefix: string, isMeant: (folder: string) => boolean): void {
    if (!existsSync(this.above)) return;
    for (const name of readdirSync(this.above)) {
      const folder = join(this.above, name);
      if (name.startsWith(prefix) && isMeant(folder)) rmSync(folder, { recursive: true, force: true });
    }
  }
}

function digest(of: string | Buffer): string {
  return createHash('sha256').update(of).digest('hex').slice(0, 12);
}
