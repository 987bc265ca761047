import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { describe, expect, it } from 'vitest';

import { ChannelRecorder } from '../testing/channel-recorder.js';
import { pipePair, type SocketPair } from '../testing/socket-pair.js';
import { splicedLine } from './splice.js';
import { StreamChannel } from './stream-channel.js';

const LIMITS = { maxLineBytes: 10_000_000, highWatermarkBytes: 64 * 1024 * 1024 };
/** Short ones, such as are sent in pieces, and such as no pipe takes at once. */
const LENGTHS = [10, 500, 3900, 4200, 20_000, 70_000, 150_000, 400_000];

/** `{"id":0,…}` for the server, and with another id for the client. */
const textOf = (id: number | string, index: number): string =>
  `{"id":${id},"text":"${String.fromCharCode(97 + (index % 26)).repeat(LENGTHS[index % LENGTHS.length] ?? 0)}"}`;

/** Passes each line on with another id, as a session does, without keeping it. */
function forward(server: SocketPair, client: SocketPair): void {
  const out = new StreamChannel({ input: client.near, output: client.near }, LIMITS);
  out.open(new ChannelRecorder());
  const input = new StreamChannel(
    { input: server.near, output: server.near },
    { ...LIMITS, lendsLines: true },
  );
  let next = 1000;
  const recorder = new ChannelRecorder();
  recorder.line = (line) => {
    out.send(splicedLine(line, [{ span: { start: 6, end: 7 }, bytes: (next += 1) }]));
  };
  input.open(recorder);
}

describe('lines that are lent by a pipe and sent into another one', () => {
  it('arrive whole, however little the other takes at once, and whatever is read meanwhile', async () => {
    await using servers = await pipePair();
    await using clients = await pipePair();
    await using otherServers = await pipePair();
    await using otherClients = await pipePair();
    forward(servers, clients);
    forward(otherServers, otherClients);
    const count = 20 * LENGTHS.length;
    for (const server of [servers, otherServers]) {
      for (let index = 0; index < count; index += 1) server.far.write(`${textOf(0, index)}\n`);
    }
    const received = await Promise.all([clients, otherClients].map((client) => linesOf(client, count)));
    const expected = Array.from({ length: count }, (_, index) => textOf(1001 + index, index));
    expect(received.map((lines) => lines.map((line, index) => line === expected[index]))).toEqual(
      received.map(() => expected.map(() => true)),
    );
  });
});

async function linesOf({ far }: SocketPair, count: number): Promise<string[]> {
  const lines: string[] = [];
  const reader = createInterface({ input: far });
  reader.on('line', (line) => {
    lines.push(line);
    if (lines.length === count) reader.close();
  });
  await once(reader, 'close');
  return lines;
}
