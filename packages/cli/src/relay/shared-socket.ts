import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { isAlive } from '../base/is-alive.js';
import { jsonObject } from '../base/json-object.js';
import { controlLine } from '../live/control-line.js';
import { firstLine } from '../live/first-line.js';
import { readWindowLine } from '../live/window-line.js';

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
export async function connected(socket: string): Promise<Socket | undefined> {
  const connection = createConnection({ path: socket, allowHalfOpen: true });
  try {
    await once(connection, 'connect');
    return connection;
  } catch (error) {
    connection.destroy();
    if (error instanceof Error && 'code' in error && ABSENT.has(error.code)) return undefined;
    throw error;
  }
}

/**
 * Sends the first line of a window, and returns the response. Later data stays in the connection. Resolves to `silent`
 * if no response has come in time.
 */
export async function greetingOf(
  connection: Socket,
  opening: string,
): Promise<'welcome' | 'older' | 'silent' | undefined> {
  const answer = await answerTo(connection, opening);
  if (answer === undefined) return 'silent';
  const command = readWindowLine(answer)?.command;
  return command === 'welcome' || command === 'older' ? command : undefined;
}

/**
 * Asks a process to hand its socket over to the next process. Resolves when the process has done so and has ended, or
 * still waits for calls. Resolves to false if the process does not answer.
 */
export async function hasHandedOver(connection: Socket): Promise<boolean> {
  const answer = await answerTo(connection, controlLine({ command: 'hand-over' }));
  connection.destroy();
  const { pid } = jsonObject(answer?.toString() ?? '') ?? {};
  if (typeof pid !== 'number') return false;
  for (const ends = Date.now() + END_WITHIN_MS; Date.now() < ends && isAlive(pid);) await setTimeout(POLL_MS);
  return true;
}

/**
 * Sends a line to a process and returns the first line of the response. Undefined if no line comes in time. The
 * connection is closed then.
 */
async function answerTo(connection: Socket, line: string): Promise<Buffer | undefined> {
  let isSilent = false;
  const timer = globalThis.setTimeout(() => {
    isSilent = true;
    connection.destroy();
  }, ANSWER_WITHIN_MS);
  connection.write(`${line}\n`);
  const answer = await firstLine(connection);
  clearTimeout(timer);
  return isSilent ? undefined : answer;
}
