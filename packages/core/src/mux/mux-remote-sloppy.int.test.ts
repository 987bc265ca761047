import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { expect, it } from 'vitest';

import { ByteServer, type Answering } from '../testing/byte-server.js';
import { MuxClient } from '../testing/mux-client.js';
import { createMux } from './mux.js';

const RESULT = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"caf\u00e9"}]}}`;

async function called(answering: Answering, calls = 1) {
  await using server = await ByteServer.open(answering);
  await using mux = createMux();
  await mux.addServer('b', { url: server.url });
  const client = await MuxClient.initialized(mux);
  const answers: unknown[] = [];
  for (let count = 0; count < calls; count += 1) answers.push(await client.call('b__raw', {}));
  return { answers, server };
}

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('F3: an answer that is encoded with %s all the same is read', async (coding, encode) => {
  const { answers, server } = await called((_, response, id) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding });
    response.end(encode(RESULT(id)));
  });
  expect(answers).toMatchObject([{ result: { content: [{ text: 'caf\u00e9' }] } }]);
  expect(server.requests.map(({ headers }) => headers['accept-encoding'])).not.toContain(undefined);
});

it('F3: a coding that mcpmux does not read is named', async () => {
  const { answers } = await called((_, response, id) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'zstd' });
    response.end(RESULT(id));
  });
  expect(JSON.stringify(answers)).toContain('zstd');
});

it('F2: a stream that a server keeps open after the answer does not keep a socket', async () => {
  const closed: Promise<unknown>[] = [];
  await using server = await ByteServer.open(({ method }, response, id) => {
    if (method !== 'POST') return void response.writeHead(405).end();
    closed.push(once(response, 'close'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${RESULT(id)}\n\n`);
  });
  await using mux = createMux();
  await mux.addServer('b', { url: server.url });
  const client = await MuxClient.initialized(mux);
  for (let count = 0; count < 3; count += 1)
    expect(await client.call('b__raw', {})).toMatchObject({ result: {} });
  await Promise.all(closed);
  expect(mux.listServers()).toMatchObject([{ status: 'running' }]);
});

it.each([200, 204])('F9: a server that answers %d to notifications still gets its stream', async (status) => {
  let listened = (): void => undefined;
  const isListening = new Promise<void>((resolve) => (listened = resolve));
  await using server = await ByteServer.open(({ method }, response) => {
    if (method !== 'GET') return void response.writeHead(404).end();
    listened();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  }, status);
  await using mux = createMux();
  await mux.addServer('b', { url: server.url });
  await expect(isListening).resolves.toBeUndefined();
});
