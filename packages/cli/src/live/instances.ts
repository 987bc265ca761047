import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';

import { readFileText } from '../base/file-text.js';
import { isProcessAlive } from '../base/is-alive.js';
import { parseAnnouncement, type Announcement } from './announcement.js';
import { sendOpening } from './open-connection.js';
import { instanceFolder, folderContext, type FolderContext } from './instance-folder.js';
import { McpConnection } from './mcp-connection.js';
import { requestProof } from './pipe-key.js';

const ANSWER_TIMEOUT_MS = 2000;

/** Returns all running instances of this user, newest first. Removes the announcements of ended processes. */
export function runningInstances(context: FolderContext): readonly Announcement[] {
  const folder = instanceFolder(context);
  const instances = announcementNames(folder).flatMap((name) => {
    const announcement = parseAnnouncement(readFileText(join(folder, name)) ?? '');
    if (announcement === undefined) return [];
    if (isProcessAlive(announcement.pid)) return [announcement];
    removeAnnouncement(folder, name, announcement);
    return [];
  });
  return instances.toSorted((a, b) => b.started - a.started);
}

/** Returns the newest instance that serves the config. */
export function instanceServing(config: string, context: FolderContext): Announcement | undefined {
  return runningInstances(context).find((instance) => instance.config === config);
}

/**
 * Connects to an instance's socket.
 *
 * @throws a system error if no process listens; Error if another program has created the instance's pipe, or if
 *   the instance does not answer
 */
export async function connectSocket({ socket }: Announcement, signal?: AbortSignal): Promise<Socket> {
  const connection = createConnection(socket);
  try {
    await once(connection, 'connect', { signal });
    if ((await requestProof(connection, folderContext())) === 'proved') return connection;
    throw new Error('the mcpmux at the other end of its pipe does not answer');
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** Opens an MCP session with an instance. Resolves to undefined if no process listens or answers. */
export async function connectInstance(instance: Announcement): Promise<McpConnection | undefined> {
  try {
    const socket = await connectSocket(instance);
    // The system accepts connections for a suspended process, which never responds.
    const timer = setTimeout(() => socket.destroy(), ANSWER_TIMEOUT_MS);
    try {
      // In a shared process, the folder determines which workspace's servers the session gets.
      const state = await sendOpening(socket, { for: 'command', cwd: process.cwd() });
      if (state === 'opened') return McpConnection.over(socket);
      socket.destroy();
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  } catch {
    return undefined;
  }
}

function announcementNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function removeAnnouncement(folder: string, name: string, { id }: Announcement): void {
  rmSync(join(folder, name), { force: true });
  rmSync(join(folder, `${id}.sock`), { force: true });
}
