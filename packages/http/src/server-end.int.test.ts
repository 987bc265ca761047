import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import { closeConnections, stopListening } from './server-end.js';

async function serving(): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => response.end('answered')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
  return { server, port: (server.address() as AddressInfo).port };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

it('a request that comes over an open connection after the end of the server has begun is answered', async () => {
  const { server, port } = await serving();
  const idle = await connected(port);
  const accepted = once(server, 'connection');
  const waiting = await connected(port);
  await accepted;
  const stopped = stopListening(server);
  const answers = [idle, waiting].map((socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return text(socket);
  });
  for (const answer of await Promise.all(answers)) expect(answer).toContain('answered');
  await stopped;
  await closeConnections(server);
});

it('a connection that comes later is refused, and connections that stay idle are closed', async () => {
  const { server, port } = await serving();
  const idle = await connected(port);
  const ended = once(idle, 'close');
  await stopListening(server);
  const refused = request({ port, host: '127.0.0.1' }).end();
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
  await closeConnections(server);
  idle.resume();
  await ended;
});
