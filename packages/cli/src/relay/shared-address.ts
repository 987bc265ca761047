import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';

import { instanceFolder, socketPath, type InstancePlaces } from '../live/instance-folder.js';

/** Everything in which windows that share a process must agree. */
export interface Sharing {
  /** Node.js and its options. The version of mcpmux is none of it: the newest one serves all windows. */
  readonly program: readonly string[];
  readonly args: readonly string[];
  /** The working directory, where the config depends on it. */
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** The process beside the one of all such windows, while that one does not answer. */
  readonly isBeside?: boolean;
}

/** The files beside the socket of a shared process. */
export interface SharedFiles {
  /** The stderr of the process. */
  readonly log: string;
  /** Is there after the process was stopped on purpose. */
  readonly stopped: string;
  /** Taken as the name of a lock while the process is started. */
  readonly start: string;
}

/** The places of a shared process. */
export interface SharedAddress extends SharedFiles {
  /** A folder for this user alone. */
  readonly folder: string;
  readonly socket: string;
}

/**
 * The address of the process that windows with the same sharing use.
 *
 * @throws Error when the path is too long for a socket
 */
export function sharedAddress(sharing: Sharing, places: InstancePlaces): SharedAddress {
  const { program, args, folder: cwd, environment, isBeside = false } = sharing;
  const beside = isBeside ? ['beside'] : [];
  const text = JSON.stringify([program, args, cwd ?? null, Object.entries(environment), ...beside]);
  const id = `shared-${createHash('sha256').update(text).digest('hex').slice(0, 20)}`;
  const folder = instanceFolder(places);
  return { folder, socket: socketPath(folder, id, places.platform), ...filesOf(folder, id) };
}

/** The files beside the socket of a shared process. On Windows the socket itself is no file. */
export function sharedFiles(socket: string, places: InstancePlaces): SharedFiles {
  const id = /shared-[\da-f]+/.exec(basename(socket))?.[0] ?? basename(socket);
  return filesOf(instanceFolder(places), id);
}

function filesOf(folder: string, id: string): SharedFiles {
  return {
    log: join(folder, `${id}.log`),
    stopped: join(folder, `${id}.stopped`),
    start: join(folder, id),
  };
}

/** The reason why a socket must not be used; undefined for one of this user, and for none. */
export function checkSocket(
  socket: string,
  { platform, user }: Pick<InstancePlaces, 'platform' | 'user'>,
): string | undefined {
  const stats = platform === 'win32' ? undefined : lstatSync(socket, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isSocket() && stats.uid === user)) return undefined;
  const kind = stats.isSymbolicLink() ? 'a symbolic link' : 'no socket of this user';
  return `${socket} is ${kind}. mcpmux does not connect to it. Look who has put it there, and remove it.`;
}
