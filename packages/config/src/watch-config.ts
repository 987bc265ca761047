import { readFileSync, readlinkSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';

import { attempt } from './attempt.js';

/** Editors save a file in several steps. Writes less than this time apart count as one change. */
const DEBOUNCE_MS = 50;
/** The maximum number of symbolic links to follow on a path, as on Linux. */
const MAX_LINKS = 40;

/**
 * Calls `onChange` after each change to a file's text, even if the file was replaced. The file, or a folder above it,
 * may be a symbolic link whose target changes. Does not keep the process alive.
 *
 * @returns a function that stops watching
 */
export function watchConfig(file: string, onChange: () => void): () => void {
  let text = readTextOrUndefined(file);
  let timer: NodeJS.Timeout | undefined;
  const scheduleCheck = (): void => {
    clearTimeout(timer);
    timer = setTimeout(checkText, DEBOUNCE_MS).unref();
  };
  const folders = new WatchedFolders(scheduleCheck);
  const checkText = (): void => {
    // A link may have a new target. Watch it before reading, so that no later change is missed.
    folders.watch(namesToWatch(file));
    const currentText = readTextOrUndefined(file);
    // Ignore a file that is missing while it is being replaced, and a write that does not change the text.
    if (currentText === undefined || currentText === text) return;
    text = currentText;
    onChange();
  };
  folders.watch(namesToWatch(file));
  return () => {
    clearTimeout(timer);
    folders.watch(new Map());
  };
}

/** The names to watch in each folder: the config file, or symbolic links on the path to it. */
type NamesByFolder = ReadonlyMap<string, ReadonlySet<string>>;

/** Watches folders, because a watch on a file ends when the file is replaced. */
class WatchedFolders {
  private readonly watchers = new Map<string, FSWatcher>();
  private namesByFolder: NamesByFolder = new Map();

  constructor(private readonly onChange: () => void) {}

  watch(namesByFolder: NamesByFolder): void {
    this.namesByFolder = namesByFolder;
    for (const [folder, watcher] of this.watchers) {
      if (namesByFolder.has(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const folder of namesByFolder.keys()) if (!this.watchers.has(folder)) this.watchFolder(folder);
  }

  private watchFolder(folder: string): void {
    const watcher = openWatcher(folder, (name) => {
      if (name === null || this.namesByFolder.get(folder)?.has(name) === true) this.onChange();
    });
    if (watcher !== undefined) this.watchers.set(folder, watcher);
  }
}

/** Watches a folder. Returns undefined if that fails, for example because a link still points to a deleted folder. */
function openWatcher(folder: string, onName: (name: string | null) => void): FSWatcher | undefined {
  const watcher = attempt(() => watch(folder, { persistent: false }, (_, name) => onName(name)));
  return watcher?.on('error', () => undefined);
}

/** Returns the names to watch: the file and each symbolic link on its path, such as `..data` in a Kubernetes volume. */
function namesToWatch(file: string): NamesByFolder {
  const names = new Map<string, Set<string>>();
  const addPath = (path: string): void => {
    const folder = dirname(path);
    names.set(folder, (names.get(folder) ?? new Set()).add(basename(path)));
  };
  let path = resolve(file);
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const link = firstLink(path);
    if (link === undefined) break;
    addPath(link.path);
    path = resolve(dirname(link.path), link.target, link.rest);
  }
  addPath(path);
  return names;
}

/** Returns the first symbolic link on a path, its target, and the part of the path after it. */
function firstLink(path: string) {
  const parts = path.split(sep);
  for (let length = 2; length <= parts.length; length += 1) {
    const prefix = parts.slice(0, length).join(sep);
    const target = attempt(() => readlinkSync(prefix));
    if (target !== undefined) return { path: prefix, target, rest: parts.slice(length).join(sep) };
  }
  return undefined;
}

function readTextOrUndefined(file: string): string | undefined {
  return attempt(() => readFileSync(file, 'utf8'));
}
