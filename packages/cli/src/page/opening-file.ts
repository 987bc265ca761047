import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { homeFolder } from '../base/home-folder.js';
import { instanceFolder, makePrivateFolder, folderContext } from '../live/instance-folder.js';

/** The maximum lifetime of the file, in milliseconds. The link has expired by then. */
const LIFETIME_MS = 120_000;
/** Exists where the browser may be a snap, which cannot read hidden folders or the folders of other users. */
const SNAP_FOLDER = '/var/lib/snapd/desktop';

/**
 * A private file that redirects a browser to a link. The browser starts with the file's path, not the link, because
 * other users can see a program's arguments. The file is deleted once the link has been used or has expired.
 */
export class OpeningFile implements Disposable {
  private readonly timer: NodeJS.Timeout;

  private constructor(readonly path: string) {
    this.timer = setTimeout(() => this[Symbol.dispose](), LIFETIME_MS).unref();
  }

  /** Writes the file. @throws Error if its folder is not private to this user */
  static write(url: string): OpeningFile {
    const name = `mcpmux-page-${randomBytes(6).toString('hex')}.html`;
    const path = join(privateFolder(), name);
    writeFileSync(path, redirectHtml(url), { mode: 0o600, flag: 'wx' });
    return new OpeningFile(path);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    rmSync(this.path, { force: true });
  }
}

function privateFolder(): string {
  if (existsSync(SNAP_FOLDER)) return homeFolder();
  const context = folderContext();
  const folder = instanceFolder(context);
  makePrivateFolder(folder, context);
  return folder;
}

function redirectHtml(url: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>mcpmux</title>
<p><a href="${url}">The page of mcpmux</a></p>
`;
}
