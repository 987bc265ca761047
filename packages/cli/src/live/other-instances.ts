import type { Socket } from 'node:net';
import { basename } from 'node:path';
import process from 'node:process';

import type { Instance, InstanceDirectory } from '@mcpmux/core';

import type { Announcement } from './announcement.js';
import type { InstancePlaces } from './instance-folder.js';
import { connectSocket, runningInstances } from './instances.js';

/** A socket with a listener accepts a connection at once. */
const CONNECT_WITHIN_MS = 1000;

/** Other instances of this user, by their announcements. Leaves out instances on whose socket no process listens. */
export class OtherInstances implements InstanceDirectory {
  constructor(private readonly places: InstancePlaces) {}

  async list(): Promise<readonly Instance[]> {
    const announced = this.announced();
    const reachable = await Promise.all(announced.map(isReachable));
    return announced.filter((_, index) => reachable[index] === true).map(instanceOf);
  }

  async open({ id, pid }: Instance): Promise<{ readonly input: Socket; readonly output: Socket }> {
    const announcement = this.announced().find((one) => one.id === id);
    if (announcement === undefined) throw new Error(`the instance ${id} (process ${pid}) has ended`);
    const socket = await connected(announcement);
    return { input: socket, output: socket };
  }

  private announced(): readonly Announcement[] {
    return runningInstances(this.places).filter(({ pid }) => pid !== process.pid);
  }
}

function instanceOf({ id, pid, started, cwd, config }: Announcement): Instance {
  const root = cwd;
  return { id, name: basename(cwd), pid, started: new Date(started).toISOString(), root, config };
}

/** A process id alone is no proof: after an instance has ended, another program may get its id. */
async function isReachable(announcement: Announcement): Promise<boolean> {
  try {
    (await connected(announcement)).destroy();
    return true;
  } catch {
    return false;
  }
}

async function connected(announcement: Announcement): Promise<Socket> {
  try {
    const socket = await connectSocket(announcement, AbortSignal.timeout(CONNECT_WITHIN_MS));
    // The user of the socket adds its own listeners a moment later.
    socket.on('error', () => undefined);
    return socket;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`process ${announcement.pid} cannot be reached: ${problem}`, { cause: error });
  }
}
