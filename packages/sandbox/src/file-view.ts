import { dirname } from 'node:path';

import type { ClientPolicy } from './client-policy.js';
import { protectedPaths, isInProtectedPath } from './protected.js';
import { secretPaths } from './secrets.js';
import type { FileSettings } from './settings.js';
import type { Disk } from './disk.js';
import { absolutePath, isWithin, nearestValue } from './paths.js';
import { isKernelPath, SandboxError, type Sight } from './sights.js';
import { sightsWithinPolicy } from './within-policy.js';

/** A rule of a view. The longest matching path applies. `empty` means a private, writable folder without files. */
export interface ViewRule {
  readonly path: string;
  readonly sight: Sight;
  /** False for a file. */
  readonly isFolder: boolean;
  /** True if a rule for a deeper path allows access again. The program must be able to traverse the folders to it. */
  readonly isPassable: boolean;
}

/** The paths that a view depends on. All are absolute. */
export interface ViewPaths {
  readonly home: string;
  readonly cwd: string;
  /** The folder for the server's package caches. */
  readonly cache: string;
  /** Folders for temporary files. In the view, they are private, writable and initially empty. */
  readonly emptiedFolders: readonly string[];
  /** Paths that stay visible in otherwise emptied folders, because every program needs them. */
  readonly neededPaths: readonly string[];
  /** More paths that contain secrets of mcpmux or of clients. */
  readonly secrets: readonly string[];
}

/**
 * Returns the rules of a server's view, outermost first. All other paths are read-only.
 *
 * @param policy a client's sandbox, which every rule respects
 * @throws SandboxError if the settings allow a path that does not exist or is a symbolic link, because another server
 * could have created the link
 */
export function fileView(
  settings: FileSettings,
  places: ViewPaths,
  disk: Disk,
  policy?: ClientPolicy,
): readonly ViewRule[] {
  const { home, cwd, cache } = places;
  const settingPaths = (key: keyof FileSettings): readonly string[] =>
    (settings[key] ?? []).map((path) => requireRulePath(absolutePath(path, cwd, home), key, disk));
  const existingPaths = (key: 'allowRead' | 'allowWrite'): readonly string[] =>
    settingPaths(key).map((path) => requireExistingPath(path, key, disk));
  const [readable, written] = [existingPaths('allowRead'), existingPaths('allowWrite')];
  const writable = [...writableWorkingFolder(places, disk), ...written, cache];
  const openedPaths = new Set([...readable, ...written]);
  const isNotOpened = (path: string): boolean => !openedPaths.has(path);
  const real = (paths: readonly string[]): readonly string[] =>
    paths.map((path) => disk.real(path)).filter((path) => path !== undefined);
  const sights = new Map<string, Sight>();
  const setSight = (paths: readonly string[], sight: Sight): void => {
    for (const path of paths) sights.set(path, sight);
  };
  setSight(real(places.emptiedFolders), 'empty');
  setSight(real(places.neededPaths), 'read-only');
  setSight(real([...secretPaths(home), ...places.secrets]).filter(isNotOpened), 'hidden');
  setSight(readable, 'read-only');
  requireUsableFolder(cwd, { isHidden: nearestValue(cwd, sights) === 'hidden', written, disk });
  setSight(writable, 'writable');
  setSight(real(settingPaths('denyRead')), 'hidden');
  // A rule that write-protects a path must not reveal a hidden or emptied path, to which a server may have linked it.
  const isWritable = (path: string): boolean => nearestValue(path, sights) === 'writable';
  const protectedByDefault = writable.flatMap((folder) => protectedPaths(folder, disk));
  setSight(real(protectedByDefault).filter(isNotOpened).filter(isWritable), 'read-only');
  setSight(real(settingPaths('denyWrite')).filter(isWritable), 'read-only');
  const all = policy === undefined ? sights : sightsWithinPolicy(sights, policy, { cache, disk });
  return rulesOf(withMountPoints(all), disk);
}

/**
 * Returns the working directory if a server may write there. The home folder and its ancestors contain files that other
 * programs run, so a server may write there only if the settings say so.
 */
function writableWorkingFolder({ cwd, home }: ViewPaths, disk: Disk): readonly string[] {
  const folder = requireExistingPath(cwd, 'cwd', disk);
  return isWithin(disk.real(home) ?? home, folder) ? [] : [folder];
}

/** @throws SandboxError if a server in this working directory could read secrets, or change what other programs run */
function requireUsableFolder(
  cwd: string,
  { isHidden, written, disk }: { isHidden: boolean; written: readonly string[]; disk: Disk },
): void {
  if (written.some((path) => isWithin(cwd, path))) return;
  if (isHidden)
    throw new SandboxError(
      `its working directory ${cwd} lies in a folder with secrets, which is hidden from it`,
    );
  if (isInProtectedPath(cwd, disk))
    throw new SandboxError(
      `its working directory ${cwd} holds files that other programs run. Give it another one, or name this one in "allowWrite".`,
    );
}

function requireRulePath(path: string, key: keyof FileSettings, disk: Disk): string {
  for (const candidate of [path, disk.real(path) ?? path]) {
    if (isKernelPath(candidate))
      throw new SandboxError(
        `its sandbox names ${path} (${key}). It cannot have rules about /, /proc or /dev.`,
      );
  }
  return path;
}

function requireExistingPath(path: string, key: string, disk: Disk): string {
  const real = disk.real(path);
  if (real === undefined)
    throw new SandboxError(`its sandbox names ${path} (${key}), which does not exist. Create it first.`);
  if (real === path) return path;
  throw new SandboxError(`${path} (${key}) leads to ${real} by a symbolic link. Write ${real} itself.`);
}

/**
 * Adds a rule for each folder between a writable folder and a path with a rule in it, because a mounted folder cannot
 * be renamed. Otherwise a server could move the folder with its protected paths, and create another in its place.
 */
function withMountPoints(sights: ReadonlyMap<string, Sight>): ReadonlyMap<string, Sight> {
  const extended = new Map(sights);
  for (const path of sights.keys()) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      if (!extended.has(folder) && nearestValue(folder, sights) === 'writable')
        extended.set(folder, 'writable');
    }
  }
  return extended;
}

function rulesOf(sights: ReadonlyMap<string, Sight>, disk: Disk): readonly ViewRule[] {
  const paths = [...sights.keys()].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const isShownBelow = (folder: string): boolean =>
    paths.some((path) => path !== folder && isWithin(path, folder) && sights.get(path) !== 'hidden');
  return paths.flatMap((path) => {
    const sight = sights.get(path);
    if (sight === undefined) return [];
    // The content of a hidden folder is already hidden.
    if (sight === 'hidden' && nearestValue(dirname(path), sights) === 'hidden') return [];
    return [{ path, sight, isFolder: disk.isFolder(path), isPassable: isShownBelow(path) }];
  });
}
