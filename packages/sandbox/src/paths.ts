import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Resolves a path from the settings to an absolute path. */
export function absolutePath(path: string, cwd: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(cwd, path);
}

/** True if a path is this folder, or is inside it. Both paths must be absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way));
}

/** Returns the value for an absolute path, or for its nearest ancestor that has a value. */
export function nearestValue<Value>(path: string, rules: ReadonlyMap<string, Value>): Value | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    const value = rules.get(folder);
    if (value !== undefined || folder === dirname(folder)) return value;
  }
}
