import { lstatSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';

import { makeFolder } from '../files/make-folder.js';

/** The properties of a process that determine its instance folder. */
export interface FolderContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly temporaryFolder: string;
  /** The user id of this process. Undefined on Windows. */
  readonly user: number | undefined;
}

/** The longest socket path, in bytes, that every supported system accepts. */
const MAX_SOCKET_PATH_BYTES = 100;

/** Returns the properties of this process that determine its instance folder. */
export function folderContext(): FolderContext {
  return {
    environment: process.env,
    platform: process.platform,
    temporaryFolder: tmpdir(),
    user: process.getuid?.(),
  };
}

/** Returns the folder where instances of this user announce themselves. */
export function instanceFolder({ environment, platform, temporaryFolder, user }: FolderContext): string {
  const configuredFolder = environment['MCPMUX_RUNTIME_DIR'];
  if (configuredFolder !== undefined && isAbsolute(configuredFolder)) return configuredFolder;
  if (platform === 'win32') {
    return join(environment['LOCALAPPDATA'] ?? temporaryFolder, 'mcpmux', 'instances');
  }
  const runtimeFolder = environment['XDG_RUNTIME_DIR'];
  const hasRuntimeFolder = runtimeFolder !== undefined && isAbsolute(runtimeFolder);
  return hasRuntimeFolder ? join(runtimeFolder, 'mcpmux') : join(temporaryFolder, `mcpmux-${user ?? 'user'}`);
}

/**
 * Creates a folder that only this user can access.
 *
 * @throws Error if the path exists but is not such a folder
 */
export function makePrivateFolder(folder: string, { platform, user }: FolderContext): void {
  makeFolder(folder, 0o700);
  const problem = findPrivacyProblem(folder, { platform, user });
  if (problem !== undefined) throw new Error(problem);
}

/** Describes why a folder is not private to this user. Returns undefined if it is private or missing, or on Windows. */
export function findPrivacyProblem(
  folder: string,
  { platform, user }: Pick<FolderContext, 'platform' | 'user'>,
): string | undefined {
  const stats = platform === 'win32' ? undefined : lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const isPrivate = stats.isDirectory() && stats.uid === user && (stats.mode & 0o077) === 0;
  return isPrivate ? undefined : `${folder} is not a folder for this user alone (mode 700)`;
}

/** Removes the folder, unless it contains other announcements or was set with MCPMUX_RUNTIME_DIR. */
export function removeFolderIfEmpty(folder: string, { environment }: FolderContext): void {
  if (environment['MCPMUX_RUNTIME_DIR'] === folder) return;
  try {
    rmdirSync(folder);
  } catch {
    // The folder contains the announcement of another instance.
  }
}

/**
 * Returns the address of an instance: a socket in the folder or, on Windows, a named pipe.
 *
 * @throws Error if the path is too long for a socket
 */
export function socketPath(folder: string, id: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `\\\\.\\pipe\\mcpmux-${id}`;
  const path = join(folder, `${id}.sock`);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path;
  throw new Error(`${path} is too long for a socket: set MCPMUX_RUNTIME_DIR to a folder with a shorter path`);
}
