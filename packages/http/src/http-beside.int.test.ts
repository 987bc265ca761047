import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { createMux } from '@mcpmux/core';
import { expect, it } from 'vitest';

import { createHttpFront, type HttpFrontOptions } from './index.js';

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends a request to a server of a host that hands it to its front. Returns the status and the text of the answer. */
async function answered(
  options: HttpFrontOptions,
  before: (request: IncomingMessage) => unknown = () => undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const mux = createMux();
  await using front = createHttpFront(mux, options);
  const server = createServer((request, response) => {
    void Promise.resolve(before(request)).then(() => front.serve(request, response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const init = { method: 'POST', body: PING, headers: { ...HEADERS, ...headers } };
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, init);
  const found = `${response.status} ${await response.text()}`;
  server.close();
  await front.close();
  await mux.close();
  return found;
}

/** Makes a request look as if it came from another machine. */
function fromOutside({ socket }: IncomingMessage): void {
  Object.defineProperty(socket, 'localAddress', { value: '192.0.2.1' });
}

it('a request within a server of the host is answered like one at the port of the front', async () => {
  expect(await answered({})).toMatch(/^400 .*initialize/i);
});

it('without credentials, a request from another machine is refused', async () => {
  expect(await answered({}, fromOutside)).toMatch(/^403 .*only this machine/);
  expect(await answered({ insecure: true }, fromOutside)).toMatch(/^400 /);
});

it('an origin of another page is refused', async () => {
  expect(await answered({}, undefined, { origin: 'http://evil.example' })).toMatch(/^403 .*Origin/);
});

it('a body that was read before is named, and the request does not hang', async () => {
  expect(await answered({}, (request) => text(request))).toMatch(/^500 .*body parser/);
});

it('a front with its own port serves this port and the port of a server of the host', async () => {
  const mux = createMux();
  const front = createHttpFront(mux);
  const own = await front.listen();
  const server = createServer((request, response) => front.serve(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const hosts = typeof address === 'object' ? `http://127.0.0.1:${address?.port}/mcp` : '';
  const statuses: number[] = [];
  for (const url of [own, hosts, own])
    statuses.push((await fetch(url, { method: 'POST', body: PING, headers: HEADERS })).status);
  expect(statuses).toEqual([400, 400, 400]);
  server.close();
  await front.close();
  await mux.close();
});
