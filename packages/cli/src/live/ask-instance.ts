import { isObject } from '@mcpmux/clients';
import { MuxError } from '@mcpmux/core';

import type { Announcement } from './announcement.js';
import type { AdminMethod, AdminParams, AdminResults } from './admin-methods.js';
import { connectSocket } from './instances.js';
import { McpConnection } from './mcp-connection.js';
import { sendOpening } from './open-connection.js';
import { ADMIN_PREFIX } from './opening.js';

/** Thrown if an instance refuses a request. */
export class InstanceRefusal extends Error {
  override readonly name = 'InstanceRefusal';

  constructor(
    /** A `MuxError` code, or `FAILED` for other errors. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Sends a request to an instance on a separate connection, and resolves to the result.
 *
 * @throws InstanceRefusal; a system error if no process listens; an AbortError if the signal aborts the connection
 *   attempt; Error if the instance does not answer
 */
export async function askInstance<Method extends AdminMethod>(
  instance: Announcement,
  method: Method,
  params: AdminParams<Method>,
  signal?: AbortSignal,
): Promise<AdminResults[Method]> {
  const socket = await connectSocket(instance, signal);
  const destroySocket = (): void => void socket.destroy();
  signal?.addEventListener('abort', destroySocket);
  try {
    await sendOpening(socket, { for: 'administration' });
    const result: unknown = await McpConnection.over(socket).request(`${ADMIN_PREFIX}${method}`, params);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends are mcpmux processes of this user
    return result as AdminResults[Method];
  } catch (error) {
    throw refusalFrom(error) ?? noAnswerError(instance, signal, error);
  } finally {
    signal?.removeEventListener('abort', destroySocket);
    socket.end();
  }
}

function refusalFrom(error: unknown): InstanceRefusal | undefined {
  const { message, data } = error instanceof MuxError ? error : {};
  if (message === undefined || data?.response === undefined) return undefined;
  const { data: details } = data.response;
  const code = isObject(details) ? details['code'] : undefined;
  return new InstanceRefusal(typeof code === 'string' ? code : 'FAILED', message);
}

function noAnswerError({ pid }: Announcement, signal: AbortSignal | undefined, cause: unknown): Error {
  const problem = signal?.aborted === true ? 'does not answer' : 'ended without an answer';
  return new Error(`the mcpmux with pid ${pid} ${problem}`, { cause });
}
