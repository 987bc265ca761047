import { dirname } from 'node:path';

import { protectedPaths, isRunByOthers } from './protected.js';
import { secretPlaces } from './secrets.js';
import type { FileSettings } from './settings.js';
import type { Disk } from './disk.js';
import { absolute, isWithin } from './paths.js';

/** The view of a confined server at a path, and below it. */
export type Sight = 'writable' | 'read-only' | 'hidden' | 'empty';

/** One rule of a view. The rule with the longest path applies. `empty` is a private, writable folder without files. */
export interface ViewRule {
  readonly path: string;
  readonly sight: Sight;
  /** False for a file. */
  readonly isFolder: boolean;
  /** True if a rule of a deeper path shows something again. The way to it must be passable. */
  readonly isPassable: boolean;
}

/** The places of a confined server. All paths are absolute. */
export interface ViewPlaces {
  readonly home: string;
  readonly cwd: string;
  /** The folder of the server's own package caches. */
  readonly cache: string;
  /** Private, writable folders without files: the folders for temporary files. */
  readonly emptied: readonly string[];
  /** Paths in emptied folders that are shown again, because every program needs them. */
  readonly needed: readonly string[];
  /** Further paths that hold secrets: those of mcpmux, and the files of clients. */
  readonly secrets: readonly string[];
}

/** An error whose message names what to change. The server is not started. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/**
 * Returns the rules of what a server sees, outermost first. Everything else is read-only.
 *
 * @throws SandboxError if the settings name a path that does not exist, or a symbolic link, which another server could
 *   have replaced
 */
export function fileView(settings: FileSettings, places: ViewPlaces, disk: Disk): readonly ViewRule[] {
  const { home, cwd } = places;
  const named = (key: keyof FileSettings): readonly string[] =>
    (settings[key] ?? []).map((path) => ofFiles(absolute(path, cwd, home), key, disk));
  const given = (key: 'allowRead' | 'allowWrite'): readonly string[] =>
    named(key).map((path) => existing(path, key, disk));
  const [readable, written] = [given('allowRead'), given('allowWrite')];
  const writable = [...writableFolder(places, disk), ...written, places.cache];
  const shown = new Set([...readable, ...written]);
  const isOpen = (path: string): boolean => !shown.has(path);
  const real = (paths: readonly string[]): readonly string[] =>
    paths.map((path) => disk.real(path)).filter((path) => path !== undefined);
  const sights = new Map<string, Sight>();
  const set = (paths: readonly string[], sight: Sight): void => {
    for (const path of paths) sights.set(path, sight);
  };
  set(real(places.emptied), 'empty');
  set(real(places.needed), 'read-only');
  set(real([...secretPlaces(home), ...places.secrets]).filter(isOpen), 'hidden');
  set(readable, 'read-only');
  requireUsable(cwd, { isHidden: sightAt(cwd, sights) === 'hidden', written, disk });
  set(writable, 'writable');
  set(real(named('denyRead')), 'hidden');
  // A rule that protects must show nothing: where a path is hidden or empty, it stays so. A server may have made it a
  // link to such a path.
  const isWritable = (path: string): boolean => sightAt(path, sights) === 'writable';
  const kept = writable.flatMap((folder) => protectedPaths(folder, disk));
  set(real(kept).filter(isOpen).filter(isWritable), 'read-only');
  set(real(named('denyWrite')).filter(isWritable), 'read-only');
  return rulesOf(pinned(sights), disk);
}

/**
 * Returns the working directory, if a server may write there. The home folder and the folders above it hold files that
 * other programs run, so the settings must name them.
 */
function writableFolder({ cwd, home }: ViewPlaces, disk: Disk): readonly string[] {
  const folder = existing(cwd, 'cwd', disk);
  return isWithin(disk.real(home) ?? home, folder) ? [] : [folder];
}

/** @throws SandboxError if a server in this working directory would read secrets, or change what other programs run */
function requireUsable(
  cwd: string,
  { isHidden, written, disk }: { isHidden: boolean; written: readonly string[]; disk: Disk },
): void {
  if (written.some((path) => isWithin(cwd, path))) return;
  if (isHidden)
    throw new SandboxError(
      `its working directory ${cwd} lies in a folder with secrets, which is hidden from it`,
    );
  if (isRunByOthers(cwd, disk))
    throw new SandboxError(
      `its working directory ${cwd} holds files that other programs run. Give it another one, or name this one in "allowWrite".`,
    );
}

/** Folders of the kernel. A rule about them, or about `/`, would replace the mounts of the sandbox itself. */
const OF_KERNEL = ['/proc', '/dev'];

function ofFiles(path: string, key: keyof FileSettings, disk: Disk): string {
  for (const one of [path, disk.real(path) ?? path]) {
    if (one === '/' || OF_KERNEL.some((folder) => isWithin(one, folder)))
      throw new SandboxError(
        `its sandbox names ${path} (${key}). It cannot have rules about /, /proc or /dev.`,
      );
  }
  return path;
}

function existing(path: string, key: string, disk: Disk): string {
  const real = disk.real(path);
  if (real === undefined)
    throw new SandboxError(`its sandbox names ${path} (${key}), which does not exist. Create it first.`);
  if (real === path) return path;
  throw new SandboxError(`${path} (${key}) leads to ${real} by a symbolic link. Write ${real} itself.`);
}

/**
 * Adds a rule for each folder between a writable folder and a rule in it. A mounted folder cannot be renamed: otherwise
 * a server could move the folder away, with all that is protected in it, and make another of its name.
 */
function pinned(sights: ReadonlyMap<string, Sight>): ReadonlyMap<string, Sight> {
  const all = new Map(sights);
  for (const path of sights.keys()) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      if (!all.has(folder) && sightAt(folder, sights) === 'writable') all.set(folder, 'writable');
    }
  }
  return all;
}

/** Returns what a server sees at an absolute path, by the nearest rule; undefined if no rule is about it. */
export function sightAt(path: string, sights: ReadonlyMap<string, Sight>): Sight | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    const sight = sights.get(folder);
    if (sight !== undefined || folder === dirname(folder)) return sight;
  }
}

function rulesOf(sights: ReadonlyMap<string, Sight>, disk: Disk): readonly ViewRule[] {
  const paths = [...sights.keys()].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const isShownBelow = (folder: string): boolean =>
    paths.some((path) => path !== folder && isWithin(path, folder) && sights.get(path) !== 'hidden');
  return paths.flatMap((path) => {
    const sight = sights.get(path);
    if (sight === undefined) return [];
    // What lies in a hidden folder is hidden with it.
    if (sight === 'hidden' && sightAt(dirname(path), sights) === 'hidden') return [];
    return [{ path, sight, isFolder: disk.isFolder(path), isPassable: isShownBelow(path) }];
  });
}
