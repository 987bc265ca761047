import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';

import { errorCodeOf } from '@mcpmux/core';

import { writeAtomically } from '../files/atomic-write.js';
import { VERSION } from '../base/version.js';
import type { Announcement } from './announcement.js';
import { CallStats } from './call-stats.js';
import { FirstLines } from './first-lines.js';
import type { InstanceComponents, Reachable } from './instance-components.js';
import { serveConnection } from './instance-connection.js';
import { RecentCalls } from './recent-calls.js';
import { ensureKey, responseToChallenge } from './pipe-key.js';
import {
  instanceFolder,
  removeFolderIfEmpty,
  makePrivateFolder,
  folderContext,
  socketPath,
} from './instance-folder.js';

/** Accepts connections from commands and other instances, and announces this process until it stops listening. */
export interface InstanceHost {
  readonly announcement: Announcement;
  /** Removes the announcement and stops accepting connections. Open connections stay open. */
  stopListening(): void;
  close(): void;
}

/** The maximum number of open connections to the socket. Further connections are closed immediately. */
const MAX_CONNECTIONS = 256;

/**
 * Makes this process reachable by `mcpmux list`, `call`, `logs` and other commands of the same user.
 *
 * @throws Error if the socket's folder is not private to this user, or if the socket's path is too long
 */
export async function hostInstance(components: InstanceComponents): Promise<InstanceHost> {
  try {
    return await startHost(components);
  } catch (error) {
    // Another instance that ended may have removed the folder before this one could use it.
    if (errorCodeOf(error) === 'ENOENT') return startHost(components);
    throw error;
  }
}

async function startHost(components: InstanceComponents): Promise<InstanceHost> {
  const context = folderContext();
  const folder = instanceFolder(context);
  makePrivateFolder(folder, context);
  if (context.platform === 'win32') ensureKey(folder);
  const id = `${process.pid}-${randomBytes(3).toString('hex')}`;
  const { config, selection, shared } = components;
  const socket = shared?.socket ?? socketPath(folder, id, context.platform);
  const connections = new Set<Socket>();
  const stats = new CallStats();
  const recentCallStore = new RecentCalls();
  const unsubscribes = countCalls(components.mux, stats, recentCallStore);
  components.page?.setCallReaders({
    callsOf: (called) => stats.summaryFor(called),
    recentCalls: () => recentCallStore.list(),
  });
  const firstLines = new FirstLines((nonce) => responseToChallenge(folder, nonce));
  const server = createListener(connections, firstLines, { ...components, stats });
  await once(server.listen(socket), 'listening');
  if (shared !== undefined && context.platform !== 'win32') chmodSync(socket, 0o600);
  // A failure to accept a connection must not end mcpmux.
  server.on('error', () => undefined);
  server.unref();
  const file = join(folder, `${id}.json`);
  const announcement: Announcement = {
    id,
    pid: process.pid,
    socket,
    version: VERSION,
    started: Date.now(),
    cwd: process.cwd(),
    ...(shared !== undefined && { shared: true }),
    ...(config !== undefined && { config }),
    ...(selection !== undefined && { selection: { ...selection, only: selection.only?.slice() } }),
  };
  writeAtomically(file, JSON.stringify(announcement));
  const stopListening = (): void => {
    rmSync(file, { force: true });
    server.close();
  };
  return {
    announcement,
    stopListening,
    close: () => {
      for (const stop of unsubscribes) stop();
      stopListening();
      for (const connection of connections) connection.destroy();
      removeFolderIfEmpty(folder, context);
    },
  };
}

/** Counts and records a mux's calls. Returns functions that undo the subscriptions. */
function countCalls(
  mux: InstanceComponents['mux'],
  stats: CallStats,
  recent: RecentCalls,
): readonly (() => void)[] {
  return [
    // A watcher lets calls wait for approval if their client cannot display forms. People approve them with a command.
    mux.approvals.watch(() => undefined),
    mux.on('call:start', (call) => {
      stats.recordStart(call);
      recent.recordStart(call);
    }),
    mux.on('call:end', (call) => {
      stats.recordEnd(call, call);
      recent.recordEnd(call);
    }),
    mux.on('server:removed', (removed) => {
      const isNameInUse = mux.listServers({ everywhere: true }).some(({ name }) => name === removed.server);
      stats.removeServer(removed, isNameInUse);
    }),
  ];
}

function createListener(connections: Set<Socket>, firstLines: FirstLines, components: Reachable): Server {
  // A window that has closed its sending side must still get its responses.
  const server = createServer({ allowHalfOpen: components.shared !== undefined }, (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    connection.on('error', () => connection.destroy());
    firstLines.readFirstLine(connection, (first) => serveConnection(connection, first, components));
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}
