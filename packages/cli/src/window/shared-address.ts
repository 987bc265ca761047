import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';

import { instanceFolder, socketPath, type FolderContext } from '../live/instance-folder.js';

/** The properties that windows must have in common to share a process. */
export interface SharingKey {
  /** Node.js and its options. The mcpmux version is left out, because the newest version serves all windows. */
  readonly program: readonly string[];
  readonly args: readonly string[];
  /** The working directory, if the config depends on it. */
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** True for the second process, which windows use while the first process does not answer. */
  readonly isSecond?: boolean;
}

/** The files that accompany the socket of a shared process. */
export interface SharedFiles {
  /** The path of the log with the process's stderr. */
  readonly logFile: string;
  /** The path of a file that exists once the process has been stopped on purpose. */
  readonly stoppedFile: string;
  /** The path that a relay locks while it starts the shared process. */
  readonly startLock: string;
}

/** The socket and files of a shared process. */
export interface SharedAddress extends SharedFiles {
  /** A folder that only this user can access. */
  readonly folder: string;
  readonly socket: string;
}

/**
 * Returns the address of the shared process for windows with these properties.
 *
 * @throws Error if the socket path is too long
 */
export function sharedAddress(sharing: SharingKey, context: FolderContext): SharedAddress {
  const { program, args, folder: cwd, environment, isSecond = false } = sharing;
  const secondMark = isSecond ? ['beside'] : [];
  const text = JSON.stringify([program, args, cwd ?? null, Object.entries(environment), ...secondMark]);
  const id = `shared-${createHash('sha256').update(text).digest('hex').slice(0, 20)}`;
  const folder = instanceFolder(context);
  return { folder, socket: socketPath(folder, id, context.platform), ...filesFor(folder, id) };
}

/** Returns the files that accompany a shared process's socket. On Windows, the socket is a named pipe. */
export function sharedFiles(socket: string, context: FolderContext): SharedFiles {
  const id = /shared-[\da-f]+/.exec(basename(socket))?.[0] ?? basename(socket);
  return filesFor(instanceFolder(context), id);
}

function filesFor(folder: string, id: string): SharedFiles {
  return {
    logFile: join(folder, `${id}.log`),
    stoppedFile: join(folder, `${id}.stopped`),
    startLock: join(folder, id),
  };
}

/**
 * Returns the reason why a socket must not be used, or undefined if the socket belongs to this user or does not exist.
 */
export function findSocketProblem(
  socket: string,
  { platform, user }: Pick<FolderContext, 'platform' | 'user'>,
): string | undefined {
  const stats = platform === 'win32' ? undefined : lstatSync(socket, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isSocket() && stats.uid === user)) return undefined;
  const kind = stats.isSymbolicLink() ? 'a symbolic link' : 'no socket of this user';
  return `${socket} is ${kind}. mcpmux does not connect to it. Look who has put it there, and remove it.`;
}
