import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer without session affinity. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: URL;
}

/**
 * Opens an HTTP load balancer. Each request goes to the next address in turn, regardless of its content. An address
 * that does not respond is skipped.
 */
export async function openRoundRobin(addresses: readonly URL[]): Promise<RoundRobin> {
  let next = 0;
  const server = createServer((incoming, response) => {
    const bodyChunks: Buffer[] = [];
    incoming.on('data', (part: Buffer) => bodyChunks.push(part));
    incoming.on('end', () => forwardRequest(addresses.length));
    const forwardRequest = (left: number): void => {
      const { hostname, port, host } = addresses[(next += 1) % addresses.length] ?? new URL('http://none');
      const { method, url: path, headers } = incoming;
      const outgoing = request(
        { hostname, port, method, path, headers: { ...headers, host }, agent: false },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
          answer.on('error', () => response.destroy()).pipe(response);
        },
      );
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A request that has reached a node is not retried.
        if (error.code === 'ECONNREFUSED' && left > 1) forwardRequest(left - 1);
        else response.destroy();
      });
      response.on('close', () => outgoing.destroy());
      outgoing.end(Buffer.concat(bodyChunks));
    };
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has an AddressInfo
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
