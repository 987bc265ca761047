import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { errorCodeOf } from '@mcpmux/core';

import { isObject } from '@mcpmux/clients';
import { requestLine } from '@mcpmux/wire';

import { isProcessAlive } from '../base/is-alive.js';
import { parseJsonObject } from '../base/json-object.js';
import { sendOpening, sendAndReadLine } from '../live/open-connection.js';
import { ADMIN_PREFIX, type OpenState } from '../live/opening.js';
import type { WindowOpening } from '../live/read-opening.js';

/** The connection error codes if the socket is missing, has no listener, or was closed a moment ago. */
const ABSENT_CODES: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET']);
/**
 * The time limit for a response, in milliseconds. It detects a suspended process, which accepts connections but never
 * responds. It is short, because some clients wait only 10 s for a server to start.
 */
export const ANSWER_TIMEOUT_MS = 5000;
/** How long to wait for an older process to end. After that, the next process starts anyway. */
const END_TIMEOUT_MS = 5000;
const POLL_MS = 5;

/**
 * Connects to a socket.
 *
 * @returns undefined if no process listens on the socket
 */
export async function connectIfServed(socket: string): Promise<Socket | undefined> {
  const connection = createConnection({ path: socket, allowHalfOpen: true });
  try {
    await once(connection, 'connect');
    return connection;
  } catch (error) {
    connection.destroy();
    if (ABSENT_CODES.has(errorCodeOf(error))) return undefined;
    throw error;
  }
}

/**
 * Opens a window's session and resolves to the state in the response, or to `silent` if no response arrives in time.
 * Leaves later data unread in the socket.
 */
export async function openWindowSession(
  connection: Socket,
  opening: WindowOpening,
): Promise<OpenState | 'silent' | undefined> {
  return withTimeout(connection, sendOpening(connection, opening), 'silent');
}

/**
 * Requests a hand-over from an older process. Resolves to false if the process does not respond. Otherwise, the process
 * has released its socket, and the promise resolves to true when it has ended or the wait for its end times out.
 */
export async function requestHandOver(connection: Socket): Promise<boolean> {
  const line = await withTimeout(connection, sendHandOver(connection), undefined);
  connection.destroy();
  const { result } = parseJsonObject(line?.toString() ?? '') ?? {};
  const pid = isObject(result) ? result['pid'] : undefined;
  if (typeof pid !== 'number') return false;
  for (const deadline = Date.now() + END_TIMEOUT_MS; Date.now() < deadline && isProcessAlive(pid);)
    await setTimeout(POLL_MS);
  return true;
}

async function sendHandOver(connection: Socket): Promise<Buffer | undefined> {
  if ((await sendOpening(connection, { for: 'administration' })) !== 'opened') return undefined;
  return sendAndReadLine(connection, requestLine(1, `${ADMIN_PREFIX}handOver`));
}

/** Resolves to the value of `response`. After the time limit, closes the connection and resolves to `fallback`. */
async function withTimeout<Value, Late>(
  connection: Socket,
  response: Promise<Value>,
  fallback: Late,
): Promise<Value | Late> {
  let isTimedOut = false;
  const timer = globalThis.setTimeout(() => {
    isTimedOut = true;
    connection.destroy();
  }, ANSWER_TIMEOUT_MS);
  const value = await response;
  clearTimeout(timer);
  return isTimedOut ? fallback : value;
}
