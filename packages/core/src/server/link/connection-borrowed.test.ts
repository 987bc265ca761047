import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS, NO_MASK } from '@mcpmux/kit';
import { StreamChannel } from '@mcpmux/wire';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { openPipePair } from '@mcpmux/testing/socket-pair';
import { DIALECT } from '../../testing/dialect.js';
import { RecordingLogger } from '../../testing/recording-logger.js';
import { Connection } from './connection.js';

/** A connection over a pipe whose owner keeps the lines that it is told of. */
async function keeping() {
  const pair = await openPipePair();
  const kept: Buffer[] = [];
  const streams = { input: pair.clientEnd, output: pair.clientEnd };
  const limits = { maxLineBytes: 10_000, highWatermarkBytes: 10_000, borrowsLines: true };
  const connection = new Connection(
    new StreamChannel(streams, limits),
    {
      inbox: { onNotification: (line) => kept.push(line), onRequest: (line) => kept.push(line) },
      onEnd: () => undefined,
      onStrayLine: () => undefined,
    },
    {
      clock: new ManualClock(),
      logger: new RecordingLogger(),
      limits: DEFAULT_LIMITS,
      dialect: DIALECT,
      server: 's',
      mask: NO_MASK,
    },
  );
  connection.open();
  return { connection, kept, pair, [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose]() };
}

/** The server sends a line, and then another one that is read into the same memory. */
async function send({ connection, pair }: Awaited<ReturnType<typeof keeping>>, text: string): Promise<void> {
  pair.serverEnd.write(`${text}\n`);
  await expect.poll(() => connection.messageCount).toBe(1);
  pair.serverEnd.write(`${'#'.repeat(text.length)}\n`);
  await expect.poll(() => connection.droppedLineCount).toBe(1);
}

describe('a line that is borrowed', () => {
  it.each([
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'],
    ['a request', '{"jsonrpc":"2.0","id":1,"method":"roots/list"}'],
  ])('may be kept by the owner, who is told of %s', async (_, text) => {
    await using rig = await keeping();
    await send(rig, text);
    expect(rig.kept.map((line) => line.toString())).toEqual([text]);
  });

  it('may be kept by the sender of a request of mcpmux itself', async () => {
    await using rig = await keeping();
    const result = rig.connection.request('tools/list', {}, 1000);
    await send(rig, '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
    expect((await result).line.toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
  });
});
