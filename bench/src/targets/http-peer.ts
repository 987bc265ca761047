import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

import type { ManagedProcess } from '../managed-process.js';

const START_MS = 30_000;
const RETRY_MS = 20;
// Linux gives away ports from 32768 on, macOS and Windows from 49152 on
const FIRST_PORT = 20_000;
const END_OF_PORTS = 32_768;

/**
 * A port of the loopback interface on which no process listens now. It is below the ephemeral ports, so no socket that
 * takes any port can take it before the peer calls `listen`, seconds later.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_OF_PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Asks again and again, as long as the process lives and at most for a while, until the answer is yes. */
export async function untilReady(process: ManagedProcess, ask: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!(await ask())) {
    if (process.hasExited || performance.now() > deadline) throw process.failure('does not become ready');
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS);
    });
  }
}

/** True if a program listens on this port of the loopback interface. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
