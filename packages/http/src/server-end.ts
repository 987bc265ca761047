import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a server that is shutting down waits for requests that are still arriving, in milliseconds. */
const TRANSIT_WAIT_MS = 100;

/** Resolves to the number of open connections. */
export function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/**
 * Stops accepting connections. A request that is arriving on an open connection is still served, whereas
 * `http.Server.close` would treat this connection as idle and close it.
 */
export async function stopListening(server: Server): Promise<void> {
  // The system may have accepted connections that Node.js reports only in this turn of the event loop.
  await nextTurn();
  NetServer.prototype.close.call(server);
  if ((await countConnections(server)) > 0)
    await new Promise((resolve) => setTimeout(resolve, TRANSIT_WAIT_MS));
}

/**
 * Closes idle connections immediately, and all others an event loop turn later, so that the last responses are sent.
 */
export async function closeConnections(server: Server): Promise<void> {
  server.closeIdleConnections();
  await nextTurn();
  server.closeAllConnections();
  // Stops the timer that checks the connections.
  server.close();
}

/** Resolves when a response has been sent or its connection has closed. */
export function whenClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', () => resolve()));
}
