import type { Socket } from 'node:net';
import { basename } from 'node:path';
import process from 'node:process';

import { type Instance, type InstanceDirectory, messageOf } from '@mcpmux/core';

import type { Announcement } from './announcement.js';
import { askInstance } from './ask-instance.js';
import type { ConnectedWindow } from './admin-methods.js';
import type { FolderContext } from './instance-folder.js';
import { connectSocket, runningInstances } from './instances.js';
import { sendOpening } from './open-connection.js';

/** The time limit for connecting, in milliseconds. It is short, because a listening process accepts immediately. */
const CONNECT_WITHIN_MS = 1000;

/** In an instance's id, separates the id of a shared process from the window's number. */
const WINDOW_SEPARATOR = '/';
const NO_WINDOWS = { windows: [] };

/**
 * This user's other instances, found by their announcements. Excludes unreachable instances. Each window of a shared
 * process counts as an instance, even if this process is the shared process.
 */
export class OtherInstances implements InstanceDirectory {
  constructor(private readonly context: FolderContext) {}

  /** @param session the number of the requesting window, which the list excludes */
  async list(session?: number): Promise<readonly Instance[]> {
    const announcements = this.candidateAnnouncements();
    const instances = (await Promise.all(announcements.map(instancesAt))).flat();
    const ownAnnouncement = announcements.find(({ pid }) => pid === process.pid);
    return instances.filter(
      ({ id }) =>
        ownAnnouncement === undefined || id !== `${ownAnnouncement.id}${WINDOW_SEPARATOR}${session}`,
    );
  }

  async open({ id, pid }: Instance): Promise<{ readonly input: Socket; readonly output: Socket }> {
    const [host, window] = id.split(WINDOW_SEPARATOR);
    const announcement = this.candidateAnnouncements().find((one) => one.id === host);
    if (announcement === undefined) throw new Error(`the instance ${id} (process ${pid}) has ended`);
    const socket = await connectToInstance(announcement);
    if (window !== undefined) await sendOpening(socket, { for: 'instance', window: Number(window) });
    return { input: socket, output: socket };
  }

  private candidateAnnouncements(): readonly Announcement[] {
    return runningInstances(this.context).filter(({ pid, shared }) => pid !== process.pid || shared === true);
  }
}

/** Returns the reachable instances of an announced process: the process or, if it is shared, each of its windows. */
async function instancesAt(announcement: Announcement): Promise<readonly Instance[]> {
  const { id, pid, started, cwd, config, shared } = announcement;
  if (shared !== true)
    return (await isReachable(announcement)) ? [toInstance(id, { pid, since: started, cwd }, config)] : [];
  const signal = AbortSignal.timeout(CONNECT_WITHIN_MS);
  const { windows } = await askInstance(announcement, 'windows', {}, signal).catch(() => NO_WINDOWS);
  return windows.map((window) => toInstance(`${id}${WINDOW_SEPARATOR}${window.id}`, window, config));
}

function toInstance(
  id: string,
  { pid, since, cwd }: Omit<ConnectedWindow, 'id'>,
  config: string | undefined,
): Instance {
  return { id, name: basename(cwd), pid, started: new Date(since).toISOString(), root: cwd, config };
}

/**
 * True if a process listens on the socket. The process id is not sufficient evidence, because the system may have given
 * an ended instance's id to another program.
 */
async function isReachable(announcement: Announcement): Promise<boolean> {
  try {
    (await connectToInstance(announcement)).destroy();
    return true;
  } catch {
    return false;
  }
}

async function connectToInstance(announcement: Announcement): Promise<Socket> {
  try {
    const socket = await connectSocket(announcement, AbortSignal.timeout(CONNECT_WITHIN_MS));
    // An error that occurs before the caller adds its own listeners must not end this process.
    socket.on('error', () => undefined);
    return socket;
  } catch (error) {
    throw new Error(`process ${announcement.pid} cannot be reached: ${messageOf(error)}`, { cause: error });
  }
}
