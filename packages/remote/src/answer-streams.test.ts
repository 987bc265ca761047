import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';

import type { Clock } from '@mcpmux/kit';
import { expect, it } from 'vitest';

import { AnswerStreams } from './answer-streams.js';
import { Sending } from './sending.js';

const FLOW = { isPaused: false, whenTaken: () => Promise.resolve(), whenDelivered: () => Promise.resolve() };
const MESSAGE = 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n';

/** A response whose stream is this text, and ends. */
function response(text: string): IncomingMessage {
  const body = new PassThrough();
  body.end(text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- headers and a stream are all that is read
  return Object.assign(body, {
    headers: { 'content-type': 'text/event-stream' },
  }) as unknown as IncomingMessage;
}

/** The delays between the streams of a session that bring these strings, one after the other. */
async function delaysBetween(texts: readonly string[], lastsMs = 0): Promise<readonly number[]> {
  const delays: number[] = [];
  const left = [...texts];
  const sending = new Sending();
  let now = 0;
  const clock: Clock = {
    now: () => now,
    schedule: (callback, delayMs) => {
      delays.push(Math.round(delayMs));
      now += delayMs;
      setImmediate(callback);
      return { cancel: () => undefined };
    },
  };
  const init = {
    redactedUrl: 'https://example.com',
    clock,
    flow: FLOW,
    maxMessageBytes: 1000,
    events: {
      line: () => undefined,
      onAccepted: () => undefined,
      onEnded: () => undefined,
      isAwaited: () => true,
      onListenOutcome: () => undefined,
      reportProblem: () => undefined,
    },
  };
  const streams = new AnswerStreams(init, () => {
    const text = left.shift();
    if (text === undefined) sending.abort();
    const stream = response(text ?? '');
    stream.once('end', () => (now += lastsMs));
    return Promise.resolve(stream);
  });
  await streams.listen(sending);
  return delays;
}

it('W3: a stream of the session that ends at once and brings nothing is opened again ever later', async () => {
  const delays = await delaysBetween(Array.from({ length: 12 }, () => ''));
  expect(delays.slice(0, 3)).toEqual([1000, 1500, 2250]);
  expect(delays.at(-1)).toBe(30_000);
});

it('W3: a stream that has brought a message is opened again soon', async () => {
  expect(await delaysBetween(['', '', MESSAGE, ''])).toEqual([1000, 1500, 1000, 1000]);
});

it('W3: a stream that has lasted is opened again soon, though it brought nothing', async () => {
  expect(await delaysBetween(['', '', ''], 60_000)).toEqual([1000, 1000, 1000]);
});
