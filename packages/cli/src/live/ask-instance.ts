import { isObject } from '@mcpmux/clients';
import { MuxError } from '@mcpmux/core';

import type { Announcement } from './announcement.js';
import type { HostMethod, HostParams, HostResults } from './host-methods.js';
import { connectSocket } from './instances.js';
import { McpConnection } from './mcp-connection.js';
import { HOST_METHODS } from './opening.js';

/** An instance could not do what a command requested. */
export class InstanceRefusal extends Error {
  override readonly name = 'InstanceRefusal';

  constructor(
    /** A code of `MuxError`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Sends a request to an instance, on a connection of its own, and resolves with the result.
 *
 * @throws InstanceRefusal; the error of the system if no process listens; Error if the instance ends before it answers
 */
export async function askInstance<Method extends HostMethod>(
  instance: Announcement,
  method: Method,
  params: HostParams<Method>,
  signal?: AbortSignal,
): Promise<HostResults[Method]> {
  const socket = await connectSocket(instance, signal);
  signal?.addEventListener('abort', () => socket.destroy());
  const connection = McpConnection.over(socket);
  try {
    return await askOver(connection, method, params);
  } catch (error) {
    if (error instanceof InstanceRefusal) throw error;
    throw new Error(`the mcpmux with pid ${instance.pid} ended without an answer`, { cause: error });
  } finally {
    connection.close();
  }
}

/** Sends a request over a connection to an instance, like {@link askInstance}. */
export async function askOver<Method extends HostMethod>(
  connection: McpConnection,
  method: Method,
  params: HostParams<Method>,
): Promise<HostResults[Method]> {
  try {
    const result: unknown = await connection.request(`${HOST_METHODS}${method}`, params);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends are mcpmux of this user
    return result as HostResults[Method];
  } catch (error) {
    const { message, data } = error instanceof MuxError ? error : {};
    if (message === undefined || data?.response === undefined) throw error;
    const { data: details } = data.response;
    const code = isObject(details) ? details['code'] : undefined;
    throw new InstanceRefusal(typeof code === 'string' ? code : 'FAILED', message);
  }
}
