import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { describe, expect, it } from 'vitest';

import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { openPipePair, type SocketPair } from '@mcpmux/testing/socket-pair';
import type { Slot } from '../pipe/line-slots.js';
import { lineSlots } from '../pipe/read-buffers.js';
import { splicedLine } from '../splice/splice.js';
import { StreamChannel } from './stream-channel.js';

const LIMITS = { maxLineBytes: 10_000_000, highWatermarkBytes: 64 * 1024 * 1024 };
/** Short ones, such as are sent in pieces, and such as no pipe takes at once. */
const LENGTHS = [10, 500, 3900, 4200, 20_000, 70_000, 150_000, 400_000];
/** Such as come together in a slot, and two that are too long for one. */
const LONG_LENGTHS = [1_200_000, 10, 300_000, 900_000, 4_000_000, 40_000];

/** `{"id":0,…}` for the server, and with another id for the client. */
const textOf = (id: number | string, index: number, lengths: readonly number[]): string =>
  `{"id":${id},"text":"${String.fromCharCode(97 + (index % 26)).repeat(lengths[index % lengths.length] ?? 0)}"}`;

/** Passes each line on with another id, as a session does, without keeping it. */
function forward(server: SocketPair, client: SocketPair): void {
  const out = new StreamChannel({ input: client.clientEnd, output: client.clientEnd }, LIMITS);
  out.open(new ChannelRecorder());
  const input = new StreamChannel(
    { input: server.clientEnd, output: server.clientEnd },
    { ...LIMITS, borrowsLines: true },
  );
  let next = 1000;
  const recorder = new ChannelRecorder();
  recorder.line = (line) => {
    out.send(splicedLine(line, [{ span: { start: 6, end: 7 }, bytes: (next += 1) }]));
  };
  input.open(recorder);
}

describe('borrowed lines of a pipe that are sent into another one', () => {
  it.each([
    ['of all lengths', LENGTHS, 20],
    ['that are long', LONG_LENGTHS, 4],
  ])(
    'arrive whole, %s, however little the other takes at once, and whatever is read meanwhile',
    async (_, lengths, rounds) => {
      await using servers = await openPipePair();
      await using clients = await openPipePair();
      await using otherServers = await openPipePair();
      await using otherClients = await openPipePair();
      forward(servers, clients);
      forward(otherServers, otherClients);
      const count = rounds * lengths.length;
      for (const server of [servers, otherServers]) {
        for (let index = 0; index < count; index += 1)
          server.serverEnd.write(`${textOf(0, index, lengths)}\n`);
      }
      const received = await Promise.all([clients, otherClients].map((client) => linesOf(client, count)));
      const expected = Array.from({ length: count }, (_none, index) => textOf(1001 + index, index, lengths));
      expect(received.map((lines) => lines.map((line, index) => line === expected[index]))).toEqual(
        received.map(() => expected.map(() => true)),
      );
      await expect.poll(() => lineSlots()?.freeSlots).toHaveLength(3);
    },
  );

  it('come together where they are read to, and are sent from there', async () => {
    await using servers = await openPipePair();
    const input = new StreamChannel(
      { input: servers.clientEnd, output: servers.clientEnd },
      { ...LIMITS, borrowsLines: true },
    );
    const recorder = new ChannelRecorder();
    const places: (Slot | undefined)[] = [];
    const all = new Promise<void>((resolve) => {
      recorder.line = (line) => {
        places.push(lineSlots()?.findSlot(line));
        if (places.length === 3) resolve();
      };
    });
    input.open(recorder);
    for (let index = 0; index < 3; index += 1) servers.serverEnd.write(`${textOf(0, index, [1_000_000])}\n`);
    await all;
    expect(places.map((place) => place !== undefined)).toEqual([true, true, true]);
  });

  it('stay whole after an exception that the host has survived', async () => {
    await using servers = await openPipePair();
    await using clients = await openPipePair();
    const out = new StreamChannel({ input: clients.clientEnd, output: clients.clientEnd }, LIMITS);
    out.open(new ChannelRecorder());
    const input = new StreamChannel(
      { input: servers.clientEnd, output: servers.clientEnd },
      { ...LIMITS, borrowsLines: true },
    );
    const recorder = new ChannelRecorder();
    let lines = 0;
    const survived = new Promise((resolve) => process.setUncaughtExceptionCaptureCallback(resolve));
    const second = new Promise<void>((resolve) => {
      recorder.line = (line) => {
        out.send(splicedLine(line, []));
        lines += 1;
        if (lines === 1) throw new Error('a defect');
        resolve();
      };
    });
    input.open(recorder);
    const texts = [1_000_000, 100_000].map((length, index) => textOf(0, index, [length, length]));
    servers.serverEnd.write(`${texts[0]}\n`);
    expect(await survived).toEqual(new Error('a defect'));
    process.setUncaughtExceptionCaptureCallback(null);
    // while the client has not read the first one
    servers.serverEnd.write(`${texts[1]}\n`);
    await second;
    const received = await linesOf(clients, 2);
    expect(received.map((line, index) => line === texts[index])).toEqual([true, true]);
  });

  it('leave their slot to others when their pipe is closed in the middle of one', async () => {
    await using servers = await openPipePair();
    await using clients = await openPipePair();
    forward(servers, clients);
    const isTaken = (): boolean => lineSlots()?.freeSlots.length !== 3;
    servers.serverEnd.write('x'.repeat(500_000));
    await expect.poll(() => servers.clientEnd.bytesRead).toBe(500_000);
    expect(isTaken()).toBe(true);
    const closed = once(servers.clientEnd, 'close');
    servers.clientEnd.destroy();
    await closed;
    await nextTurn();
    expect(isTaken()).toBe(false);
  });
});

async function linesOf({ serverEnd }: SocketPair, count: number): Promise<string[]> {
  const lines: string[] = [];
  const reader = createInterface({ input: serverEnd });
  reader.on('line', (line) => {
    lines.push(line);
    if (lines.length === count) reader.close();
  });
  await once(reader, 'close');
  return lines;
}
