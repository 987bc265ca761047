import { basename, isAbsolute, resolve } from 'node:path';

import { defined, mapEntry, type JsonObject } from '@mcpmux/clients';
import { literalText } from '@mcpmux/config';

/** Beginnings of placeholders. The name of a folder, such as `app$`, can form one with the text beside it. */
const READING = /(?<!\$)\$\{(?=(?:file|secret|input):)/g;
const FOLDER = /(?<!\$)\$\{(workspaceFolder|workspaceFolderBasename|cwd)\}/g;

/**
 * Returns the entry of a folder's server with that folder as its working directory. Otherwise `node server.js` would
 * run the file in the folder where mcpmux is started.
 */
export function inFolder(entry: JsonObject, folder: string): JsonObject {
  const placed = mapEntry(entry, (text) => {
    const named = text.replace(FOLDER, (_, name) =>
      literalText(name === 'workspaceFolderBasename' ? basename(folder) : folder),
    );
    return folder.includes('$') ? named.replace(READING, (start) => `$${start}`) : named;
  });
  if (typeof placed['command'] !== 'string') return placed;
  const { cwd = '.', envFile } = placed;
  return defined({ ...placed, cwd: within(folder, cwd), envFile: within(folder, envFile) });
}

function within(folder: string, path: unknown): unknown {
  if (typeof path !== 'string' || isAbsolute(path) || path.includes('${')) return path;
  return literalText(resolve(folder, path));
}
