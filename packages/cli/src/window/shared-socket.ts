import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { errorCodeOf } from '@mcpmux/core';

import { isObject } from '@mcpmux/clients';
import { requestLine } from '@mcpmux/wire';

import { isAlive } from '../base/is-alive.js';
import { jsonObject } from '../base/json-object.js';
import { openConnection, responseTo } from '../live/open-connection.js';
import { ADMIN_PREFIX, type Opened } from '../live/opening.js';
import type { WindowOpening } from '../live/read-opening.js';

/** The socket does not exist, no process listens, or the process that listened has just ended. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);
/**
 * The time limit for a response. A suspended process accepts connections and never answers. Clients wait at least 10 s
 * for the start of a server.
 */
export const ANSWER_WITHIN_MS = 5000;
/**
 * The wait for the end of an older process. Calls that take longer continue in the older process while the next process
 * runs.
 */
const END_WITHIN_MS = 5000;
const POLL_MS = 5;

/**
 * Connects to a socket.
 *
 * @returns undefined if no process listens
 */
export async function connectIfServed(socket: string): Promise<Socket | undefined> {
  const connection = createConnection({ path: socket, allowHalfOpen: true });
  try {
    await once(connection, 'connect');
    return connection;
  } catch (error) {
    connection.destroy();
    if (ABSENT.has(errorCodeOf(error))) return undefined;
    throw error;
  }
}

/**
 * Opens the session of a window, and returns the response. Later data stays in the connection. Resolves to `silent` if
 * no response has come in time.
 */
export async function openSession(
  connection: Socket,
  opening: WindowOpening,
): Promise<Opened | 'silent' | undefined> {
  return inTime(connection, openConnection(connection, opening), 'silent');
}

/**
 * Asks a process to hand its socket over to the next process. Resolves when the process has done so and has ended, or
 * still waits for calls. Resolves to false if the process does not answer.
 */
export async function hasHandedOver(connection: Socket): Promise<boolean> {
  const line = await inTime(connection, handOver(connection), undefined);
  connection.destroy();
  const { result } = jsonObject(line?.toString() ?? '') ?? {};
  const pid = isObject(result) ? result['pid'] : undefined;
  if (typeof pid !== 'number') return false;
  for (const ends = Date.now() + END_WITHIN_MS; Date.now() < ends && isAlive(pid);) await setTimeout(POLL_MS);
  return true;
}

async function handOver(connection: Socket): Promise<Buffer | undefined> {
  if ((await openConnection(connection, { for: 'administration' })) !== 'opened') return undefined;
  return responseTo(connection, requestLine(1, `${ADMIN_PREFIX}handOver`));
}

/** Resolves with the response, or with `late` if none comes in time. The connection is closed then. */
async function inTime<Value, Late>(
  connection: Socket,
  response: Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  let isLate = false;
  const timer = globalThis.setTimeout(() => {
    isLate = true;
    connection.destroy();
  }, ANSWER_WITHIN_MS);
  const value = await response;
  clearTimeout(timer);
  return isLate ? late : value;
}
