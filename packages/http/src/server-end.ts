import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** How long a request may be on its way to a server that ends. */
const ON_THE_WAY_MS = 100;

/** The number of open connections. */
export function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/**
 * Accepts no more connections. A request that is on its way over an open connection still reaches the server: `close` of
 * an HTTP server would cut this connection as an idle one.
 */
export async function stopListening(server: Server): Promise<void> {
  // Connections that wait are accepted in this turn.
  await nextTurn();
  NetServer.prototype.close.call(server);
  if ((await connectionsOf(server)) > 0) await new Promise((resolve) => setTimeout(resolve, ON_THE_WAY_MS));
}

/** Closes the connections: those that are idle first, so that the last answers are sent. */
export async function closeConnections(server: Server): Promise<void> {
  server.closeIdleConnections();
  await nextTurn();
  server.closeAllConnections();
  // Ends the timer that checks the connections.
  server.close();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
