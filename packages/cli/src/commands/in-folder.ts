import { basename, isAbsolute, resolve } from 'node:path';

import { defined, isObject, mapTexts, type JsonObject } from '@mcpmux/clients';
import { literalText } from '@mcpmux/config';

const FOLDER = /(?<!\$)\$\{(workspaceFolder|workspaceFolderBasename|cwd)\}/g;

/**
 * Returns the entry of a folder's server with that folder as its working directory. Otherwise `node server.js` would
 * run the file in the folder where mcpmux is started.
 */
export function inFolder(entry: JsonObject, folder: string): JsonObject {
  const value = mapTexts(entry, (text) =>
    text.replace(FOLDER, (_, name) =>
      literalText(name === 'workspaceFolderBasename' ? basename(folder) : folder),
    ),
  );
  const placed = isObject(value) ? value : entry;
  if (typeof placed['command'] !== 'string') return placed;
  const { cwd = '.', envFile } = placed;
  return defined({ ...placed, cwd: within(folder, cwd), envFile: within(folder, envFile) });
}

function within(folder: string, path: unknown): unknown {
  if (typeof path !== 'string' || isAbsolute(path) || path.includes('${')) return path;
  return literalText(resolve(folder, path));
}
