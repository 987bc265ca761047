import { win32 } from 'node:path';

import type { ProgramSystem } from '../windows-program.js';

/** A Windows that has these files, by their paths. Names of files are case-insensitive there. */
export function windowsDisk(
  files: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv = {},
): ProgramSystem {
  const texts = new Map(Object.entries(files).map(([path, text]) => [keyOf(path), text]));
  return {
    environment,
    isFile: (path) => Promise.resolve(texts.has(keyOf(path))),
    readText: (path) => Promise.resolve(texts.get(keyOf(path))),
  };
}

function keyOf(path: string): string {
  return win32.normalize(path).toLowerCase();
}
