import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder } from '../files/make-folder.js';
import { stateFolder, type StatePlaces } from '../files/state-folder.js';
import type { BundleArchive } from './bundle-archive.js';

const UNFINISHED = 'unfinished-';
/** The age at which an unfinished folder counts as abandoned. No bundle takes this long to unpack. */
const ABANDONED_MS = 86_400_000;

/** The folders with the unpacked bundles of one configured server, one folder for each bundle. */
export class BundleFolders {
  private readonly parentFolder: string;
  private readonly prefix: string;

  constructor(config: string, server: string, places: StatePlaces) {
    this.parentFolder = join(stateFolder(places), 'bundles');
    // A server name may contain characters that are not allowed in a file name.
    this.prefix = `${server.replaceAll(/[^\w-]/g, '-').slice(0, 50)}-${digest(`${config}\n${server}`)}-`;
  }

  folderFor({ bytes }: Pick<BundleArchive, 'bytes'>): string {
    return join(this.parentFolder, `${this.prefix}${digest(bytes)}`);
  }

  /**
   * Unpacks a bundle unless its folder exists, because an existing folder is complete. Deletes incomplete folders that
   * other processes have abandoned.
   *
   * @param program a file to make executable
   * @returns true if the folder is new
   * @throws Error that describes the problem, or a file system error
   */
  async fill(archive: BundleArchive, program?: string): Promise<boolean> {
    const folder = this.folderFor(archive);
    if (existsSync(folder)) return false;
    const unfinished = join(this.parentFolder, `${UNFINISHED}${randomUUID()}`);
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
  delete(isMatch: (folder: string) => boolean = () => true): void {
    this.deleteWith(this.prefix, isMatch);
  }

  private deleteAbandoned(): void {
    const before = Date.now() - ABANDONED_MS;
    this.deleteWith(UNFINISHED, (folder) => {
      return (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < before;
    });
  }

  private deleteWith(prefix: string, isMatch: (folder: string) => boolean): void {
    if (!existsSync(this.parentFolder)) return;
    for (const name of readdirSync(this.parentFolder)) {
      const folder = join(this.parentFolder, name);
      if (name.startsWith(prefix) && isMatch(folder)) rmSync(folder, { recursive: true, force: true });
    }
  }
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
