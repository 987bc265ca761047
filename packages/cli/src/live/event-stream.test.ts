import type { Socket } from 'node:net';

import type { EventsOptions, NumberedEvent } from '@mcpmux/core';
import { openPipePair } from '@mcpmux/testing/socket-pair';
import { expect, it } from 'vitest';

import { StreamChannel } from '@mcpmux/wire';

import { linesOf } from '../base/lines.js';
import { streamEvents } from './event-stream.js';
import { AdminConnection } from './admin-connection.js';

const EVENTS = 20_000;
const HIGH_WATERMARK = 16 * 1024;
const LIMITS = { maxLineBytes: 1024 * 1024, highWatermarkBytes: HIGH_WATERMARK };
const STDERR = { type: 'server:stderr', server: 'echo', time: 0 } as const;

function adminConnection(near: Socket): { readonly channel: StreamChannel; readonly admin: AdminConnection } {
  const channel = new StreamChannel({ input: near, output: near }, LIMITS);
  const admin = new AdminConnection(channel, () => Promise.resolve({ result: {} }));
  channel.open(admin);
  return { channel, admin };
}

it('C15: an event is fetched only when its reader has taken those before it', async () => {
  await using pair = await openPipePair();
  const { clientEnd, serverEnd } = pair;
  const { channel, admin } = adminConnection(clientEnd);
  let mostWaiting = 0;
  async function* events(): AsyncGenerator<NumberedEvent, undefined> {
    for (let index = 0; index < EVENTS; index += 1) {
      mostWaiting = Math.max(mostWaiting, channel.queuedBytes);
      yield { ...STDERR, sequence: index + 1, line: String(index).padStart(500, '.') };
    }
  }
  const streamed = streamEvents(admin, { events });
  let lines = 0;
  for await (const line of linesOf(serverEnd)) {
    if (String(line).includes('server:stderr')) lines += 1;
  }
  await streamed;
  expect(lines).toBe(EVENTS);
  expect(mostWaiting).toBeLessThan(2 * HIGH_WATERMARK);
});

it('a line has the number and the time of its event, and a reader begins after the number that it names', async () => {
  await using pair = await openPipePair();
  const asked: unknown[] = [];
  async function* events(options?: EventsOptions): AsyncGenerator<NumberedEvent, undefined> {
    asked.push(options);
    yield { ...STDERR, sequence: 8, line: 'hello' };
  }
  void streamEvents(adminConnection(pair.clientEnd).admin, { events }, { after: 7 });
  const lines: unknown[] = [];
  for await (const line of linesOf(pair.serverEnd)) lines.push(JSON.parse(String(line)));
  expect(asked).toEqual([{ after: 7 }]);
  expect(lines).toEqual([
    {
      jsonrpc: '2.0',
      method: 'mcpmux/event',
      params: { ...STDERR, sequence: 8, line: 'hello', time: '1970-01-01T00:00:00.000Z' },
    },
  ]);
});

it('a reader that goes while its events wait ends the stream', async () => {
  await using pair = await openPipePair();
  const { clientEnd, serverEnd } = pair;
  let isLeft = false;
  async function* events(): AsyncGenerator<NumberedEvent, undefined> {
    try {
      for (;;) yield { ...STDERR, sequence: 1, line: '.'.repeat(5000) };
    } finally {
      isLeft = true;
    }
  }
  clientEnd.on('error', () => clientEnd.destroy());
  const streamed = streamEvents(adminConnection(clientEnd).admin, { events });
  serverEnd.destroy();
  await streamed;
  expect([clientEnd.destroyed, isLeft]).toEqual([true, true]);
});
