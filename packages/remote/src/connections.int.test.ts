import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { HttpClient } from './http-client.js';
import { readBody } from './response-body.js';
import { Sending } from './sending.js';

const LETTERS = ['a', 'b', 'c', 'd'];
const CHUNKS = 30;
const CHUNK_BYTES = 50_000;

const open: ServerResponse[] = [];
const server = createServer((_, response) => void open.push(response.writeHead(200)));

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

/** Writes to all responses by turns, a letter to each, when all of them are there. */
async function answerByTurns(): Promise<void> {
  while (open.length < LETTERS.length) await once(server, 'request');
  for (let chunk = 0; chunk < CHUNKS; chunk += 1)
    for (const [index, response] of open.entries())
      if (!response.write(LETTERS[index]?.repeat(CHUNK_BYTES))) await new Promise(setImmediate);
  for (const response of open) response.end();
}

it('bodies that come by turns over several connections stay apart, whether they are read at once or later', async () => {
  const client = new HttpClient({ maxMessageBytes: 1000, whenReadable: () => Promise.resolve() });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const answered = answerByTurns();
  let mayRead: () => void = () => undefined;
  const later = new Promise<void>((resolve) => (mayRead = resolve));
  const memories = new Set<ArrayBufferLike>();
  const bodies = await Promise.all(
    LETTERS.map(async (_, index) => {
      const response = await client.send(url, { method: 'GET', headers: {} }, new Sending());
      response.socket.on('data', (read: Buffer) => memories.add(read.buffer));
      const isLate = index % 2 === 1;
      let isPaused = isLate;
      void later.then(() => (isPaused = false));
      const flow = {
        get isPaused() {
          return isPaused;
        },
        whenTaken: () => later,
        whenDelivered: () => later,
      };
      const chunks: Buffer[] = [];
      await readBody(response, flow, (chunk) => void chunks.push(chunk));
      if (!isLate) mayRead();
      return Buffer.concat(chunks).toString();
    }),
  );
  await answered;
  client.destroy();
  expect(memories.size).toBe(1);
  expect(bodies.map((body) => [body.length, new Set(body).size])).toEqual(
    LETTERS.map(() => [CHUNKS * CHUNK_BYTES, 1]),
  );
  expect(new Set(bodies.map(([letter]) => letter))).toEqual(new Set(LETTERS));
});
