import type { EventsOptions, NumberedEvent } from '@mcpmux/core';
import { pipePair } from '@mcpmux/testing/socket-pair';
import { expect, it } from 'vitest';

import { linesOf } from '../base/lines.js';
import { streamEvents } from './event-stream.js';

const EVENTS = 20_000;
const STDERR = { type: 'server:stderr', server: 'echo', time: 0 } as const;

it('C15: an event is fetched only when its reader has taken those before it', async () => {
  await using pair = await pipePair();
  const { near, far } = pair;
  let mostWaiting = 0;
  async function* events(): AsyncGenerator<NumberedEvent, undefined> {
    for (let index = 0; index < EVENTS; index += 1) {
      mostWaiting = Math.max(mostWaiting, near.writableLength);
      yield { ...STDERR, sequence: index + 1, line: String(index).padStart(500, '.') };
    }
  }
  const streamed = streamEvents(near, { events });
  let lines = 0;
  for await (const line of linesOf(far)) {
    if (String(line).includes('server:stderr')) lines += 1;
  }
  await streamed;
  expect(lines).toBe(EVENTS);
  expect(mostWaiting).toBeLessThan(2 * near.writableHighWaterMark);
});

it('a line has the number and the time of its event, and a reader begins after the number that it names', async () => {
  await using pair = await pipePair();
  const asked: unknown[] = [];
  async function* events(options?: EventsOptions): AsyncGenerator<NumberedEvent, undefined> {
    asked.push(options);
    yield { ...STDERR, sequence: 8, line: 'hello' };
  }
  void streamEvents(pair.near, { events }, { after: 7 });
  const lines: unknown[] = [];
  for await (const line of linesOf(pair.far)) lines.push(JSON.parse(String(line)));
  expect(asked).toEqual([{ after: 7 }]);
  expect(lines).toEqual([
    { type: 'connected' },
    { ...STDERR, sequence: 8, line: 'hello', time: '1970-01-01T00:00:00.000Z' },
  ]);
});

it('a reader that goes while its events wait ends the stream', async () => {
  await using pair = await pipePair();
  const { near, far } = pair;
  let isLeft = false;
  async function* events(): AsyncGenerator<NumberedEvent, undefined> {
    try {
      for (;;) yield { ...STDERR, sequence: 1, line: '.'.repeat(5000) };
    } finally {
      isLeft = true;
    }
  }
  near.on('error', () => near.destroy());
  const streamed = streamEvents(near, { events });
  far.destroy();
  await streamed;
  expect([near.destroyed, isLeft]).toEqual([true, true]);
});
