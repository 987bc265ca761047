import type { MuxEvent } from '@mcpmux/core';
import { pipePair } from '@mcpmux/testing/socket-pair';
import { expect, it } from 'vitest';

import { linesOf } from '../base/lines.js';
import { streamEvents } from './event-stream.js';

const EVENTS = 20_000;

it('C15: an event is fetched only when its reader has taken those before it', async () => {
  await using pair = await pipePair();
  const { near, far } = pair;
  let mostWaiting = 0;
  async function* events(): AsyncGenerator<MuxEvent> {
    for (let index = 0; index < EVENTS; index += 1) {
      mostWaiting = Math.max(mostWaiting, near.writableLength);
      yield { type: 'server:stderr', server: 'echo', line: String(index).padStart(500, '.') };
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

it('a reader that goes while its events wait ends the stream', async () => {
  await using pair = await pipePair();
  const { near, far } = pair;
  let isLeft = false;
  async function* events(): AsyncGenerator<MuxEvent> {
    try {
      for (;;) yield { type: 'server:stderr', server: 'echo', line: '.'.repeat(5000) };
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
