import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { BodySource } from './body-source.js';

const LIMIT = 20;

/** What comes of a body that arrives in these chunks. */
async function read(type: string, chunks: readonly string[]): Promise<string> {
  const message = Object.assign(new PassThrough(), { headers: { 'content-type': type } });
  for (const chunk of chunks) message.write(chunk);
  message.end();
  const limits = { maxMessageBytes: LIMIT, whenReadable: () => Promise.resolve() };
  const body = new ReadableStream(new BodySource(message as unknown as IncomingMessage, limits));
  return new Response(body).text();
}

describe('fault I22: the body of an answer', () => {
  it('in one piece may be as long as a message', async () => {
    await expect(read('application/json', ['x'.repeat(10), 'x'.repeat(10)])).resolves.toHaveLength(20);
    await expect(read('application/json', ['x'.repeat(10), 'x'.repeat(11)])).rejects.toThrow('limit of 20');
  });

  it.each(['\n', '\r\n'])('that is a stream is measured event by event (line ends %j)', async (end) => {
    const event = `data: ${'x'.repeat(8)}${end}${end}`;
    const stream = event.repeat(20);
    await expect(read('text/event-stream', [stream])).resolves.toBe(stream);
    await expect(read('text/event-stream', stream.split(''))).resolves.toBe(stream);
  });

  it.each([
    ['in one chunk', ['data: a\n\ndata: bcdefghijklmnopqrstuvwxyz\n']],
    ['in many lines', Array.from({ length: 9 }, () => 'data: a\n')],
    ['byte by byte', ['data: a\n\n', ...'data: bcdefghijklmnopqrstuvwxyz'.split('')]],
  ])('with an event that does not end is given up %s', async (_, chunks) => {
    await expect(read('text/event-stream', chunks)).rejects.toThrow('limit of 20');
  });
});

it('nothing is read of a body while nobody takes it', async () => {
  const message = Object.assign(new PassThrough(), { headers: {} });
  let wake = (): void => undefined;
  const readable = new Promise<void>((resolve) => (wake = resolve));
  const limits = { maxMessageBytes: LIMIT, whenReadable: () => readable };
  const body = new ReadableStream(new BodySource(message as unknown as IncomingMessage, limits));
  message.end('text');
  const text = new Response(body).text();
  await new Promise((resolve) => setImmediate(resolve));
  expect(message.readableLength).toBe(4);
  wake();
  await expect(text).resolves.toBe('text');
});
