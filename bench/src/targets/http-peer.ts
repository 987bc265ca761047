import { connect, createServer, type AddressInfo } from 'node:net';

import type { ManagedProcess } from '../managed-process.js';

const START_MS = 30_000;
const RETRY_MS = 20;

/** A port of the loopback interface that nobody listens on, at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
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

/** Whether something listens on this port of the loopback interface. */
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
