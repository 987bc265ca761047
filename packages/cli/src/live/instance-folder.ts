import { lstatSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';

import { makeFolder } from '../files/make-folder.js';

/** The inputs of {@link instanceFolder}. */
export interface InstancePlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly temporaryFolder: string;
  /** The user id of this process; undefined on Windows. */
  readonly user: number | undefined;
}

/** A socket path length that every system supports, in bytes. */
const MAX_SOCKET_PATH = 100;

/** Returns the places of instances, for the user of this process. */
export function processPlaces(): InstancePlaces {
  return {
    environment: process.env,
    platform: process.platform,
    temporaryFolder: tmpdir(),
    user: process.getuid?.(),
  };
}

/** Returns the folder in which instances of this user announce themselves. */
export function instanceFolder({ environment, platform, temporaryFolder, user }: InstancePlaces): string {
  const own = environment['MCPMUX_RUNTIME_DIR'];
  if (own !== undefined && isAbsolute(own)) return own;
  if (platform === 'win32') {
    return join(environment['LOCALAPPDATA'] ?? temporaryFolder, 'mcpmux', 'instances');
  }
  const runtime = environment['XDG_RUNTIME_DIR'];
  const isRuntime = runtime !== undefined && isAbsolute(runtime);
  return isRuntime ? join(runtime, 'mcpmux') : join(temporaryFolder, `mcpmux-${user ?? 'user'}`);
}

/**
 * Creates the folder, for this user only.
 *
 * @throws Error if another user could read the traffic of sockets in the folder
 */
export function makePrivate(folder: string, { platform, user }: InstancePlaces): void {
  makeFolder(folder, 0o700);
  const problem = checkPrivate(folder, { platform, user });
  if (problem !== undefined) throw new Error(problem);
}

/** Returns the reason why a folder is not private to this user. Undefined if it is private, or does not exist. */
export function checkPrivate(
  folder: string,
  { platform, user }: Pick<InstancePlaces, 'platform' | 'user'>,
): string | undefined {
  const stats = platform === 'win32' ? undefined : lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const isPrivate = stats.isDirectory() && stats.uid === user && (stats.mode & 0o077) === 0;
  return isPrivate ? undefined : `${folder} is not a folder for this user alone (mode 700)`;
}

/** Removes the folder, unless other instances are announced in it or the user has chosen it. */
export function leaveFolder(folder: string, { environment }: InstancePlaces): void {
  if (environment['MCPMUX_RUNTIME_DIR'] === folder) return;
  try {
    rmdirSync(folder);
  } catch {
    // Another instance is announced in the folder.
  }
}

/**
 * Returns the address of an instance: a socket in the folder, or a named pipe on Windows.
 *
 * @throws Error if the path is too long for a socket
 */
export function socketPath(folder: string, id: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `\\\\.\\pipe\\mcpmux-${id}`;
  const path = join(folder, `${id}.sock`);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path;
  throw new Error(`${path} is too long for a socket: set MCPMUX_RUNTIME_DIR to a folder with a shorter path`);
}
