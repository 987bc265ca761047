import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Finds free ports on this machine. */
export async function findFreePorts(count: number): Promise<number[]> {
  const listeners = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has an AddressInfo
  const ports = listeners.map((server) => (server.address() as AddressInfo).port);
  for (const server of listeners) server.close();
  return ports;
}
