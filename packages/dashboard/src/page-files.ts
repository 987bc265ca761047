import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const FILE_NAMES: readonly string[] = ['index.html', 'page.js', 'page.css', 'icon.svg'];

/** Returns the folder of the built page: next to the bundle, or in this package's build when run from source. */
function pageFolder(): URL {
  const bundledPage = new URL('page/', import.meta.url);
  return statSync(bundledPage, { throwIfNoEntry: false }) === undefined
    ? new URL('../dist/page/', import.meta.url)
    : bundledPage;
}

/**
 * Reads the page that displays the result of `list_servers` in a chat (MCP Apps), as one HTML file.
 *
 * @throws Error if the page has not been built
 */
export async function readOverviewApp(): Promise<string> {
  return readFile(new URL('overview.html', pageFolder()), 'utf8');
}

/**
 * Reads the page's files.
 *
 * @throws Error if the page has not been built
 */
export function readPageFiles(folder: URL = pageFolder()): ReadonlyMap<string, PageFile> {
  const names = FILE_NAMES.filter((name) => existsSync(new URL(name, folder)));
  if (!names.includes('index.html'))
    throw new Error(`the page was not built: ${folder.pathname} has no index.html`);
  return new Map(
    names.map((name) => [
      name,
      {
        type: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
        bytes: readFileSync(new URL(name, folder)),
      },
    ]),
  );
}
