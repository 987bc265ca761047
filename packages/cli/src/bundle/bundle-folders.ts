import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder } from '../files/make-folder.js';
import { stateFolder, type StateContext } from '../files/state-folder.js';
import type { BundleArchive } from './bundle-archive.js';

const UNFINISHED_PREFIX = 'unfinished-';
/** The age at which an unfinished folder counts as abandoned. No bundle takes this long to unpack. */
const ABANDONED_AFTER_MS = 86_400_000;

/** The folders that contain one configured server's unpacked bundles, one folder for each bundle. */
export class BundleFolders {
  private readonly parentFolder: string;
  private readonly namePrefix: string;

  constructor(config: string, server: string, places: StateContext) {
    this.parentFolder = join(stateFolder(places), 'bundles');
    // Replaces characters that a file name may not contain. The digest distinguishes names that become equal.
    this.namePrefix = `${server.replaceAll(/[^\w-]/g, '-').slice(0, 50)}-${shortDigest(`${config}\n${server}`)}-`;
  }

  folderFor({ bytes }: Pick<BundleArchive, 'bytes'>): string {
    return join(this.parentFolder, `${this.namePrefix}${shortDigest(bytes)}`);
  }

  /**
   * Unpacks a bundle unless its folder exists. Unpacks into an unfinished folder, and renames it once it is complete.
   * Also deletes unfinished folders that other processes have abandoned.
   *
   * @param program a file to make executable
   * @returns true if the folder is new
   * @throws Error that describes the problem, or a file system error
   */
  async ensureUnpacked(archive: BundleArchive, program?: string): Promise<boolean> {
    const folder = this.folderFor(archive);
    if (existsSync(folder)) return false;
    const unfinishedFolder = join(this.parentFolder, `${UNFINISHED_PREFIX}${randomUUID()}`);
    makeFolder(unfinishedFolder, 0o700);
    this.deleteAbandonedFolders();
    try {
      await archive.unpack(unfinishedFolder, program);
      renameSync(unfinishedFolder, folder);
      return true;
    } catch (error) {
      rmSync(unfinishedFolder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Deletes the server's folders that match the predicate, or all of them by default. */
  deleteFolders(isMatch: (folder: string) => boolean = () => true): void {
    this.deleteByPrefix(this.namePrefix, isMatch);
  }

  private deleteAbandonedFolders(): void {
    const cutoffTime = Date.now() - ABANDONED_AFTER_MS;
    this.deleteByPrefix(UNFINISHED_PREFIX, (folder) => {
      return (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < cutoffTime;
    });
  }

  private deleteByPrefix(prefix: string, isMatch: (folder: string) => boolean): void {
    if (!existsSync(this.parentFolder)) return;
    for (const name of readdirSync(this.parentFolder)) {
      const folder = join(this.parentFolder, name);
      if (name.startsWith(prefix) && isMatch(folder)) rmSync(folder, { recursive: true, force: true });
    }
  }
}

function shortDigest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
