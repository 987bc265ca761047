import { once } from 'node:events';
import type { Socket } from 'node:net';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { openPipePair, openSocketPair } from '@mcpmux/testing/socket-pair';
import { MAX_LINES_PER_TURN, StreamChannel } from './stream-channel.js';

const KIB = 1024;
/** Makes lines so long that a chunk of many is not copied as a whole. */
const PAD = '-'.repeat(60);
const LIMITS = { maxLineBytes: 10_000_000, highWatermarkBytes: 1024 * KIB };
/** More than the buffers of the operating system hold: then somebody is broken. */
const GIVE_UP_BYTES = 256 * 1024 * KIB;

const line = (n: number) => Buffer.from(`{"n":${n},"text":"${'x'.repeat(32 * KIB)}"}\n`);

/** Reads the `n` of all lines up to the end. */
async function numbersIn(input: Readable): Promise<number[]> {
  const numbers: number[] = [];
  for await (const text of createInterface({ input })) numbers.push((JSON.parse(text) as { n: number }).n);
  return numbers;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Sends lines until the channel is saturated; says how many. */
async function saturate(channel: StreamChannel): Promise<number> {
  let sent = 0;
  while (!channel.saturated) {
    if (sent * line(0).length > GIVE_UP_BYTES) throw new Error('the channel is never saturated');
    channel.send(line(sent));
    sent += 1;
    await new Promise(setImmediate);
  }
  return sent;
}

describe.each([
  ['a socket', openSocketPair, (peer: Socket) => peer.resetAndDestroy()],
  ['a pipe', openPipePair, (peer: Socket) => peer.destroy()],
])('a StreamChannel over %s', (kind, openPair, kill) => {
  it('C5: is saturated while its peer does not read, and drained once after it has', async () => {
    await using sockets = await openPair();
    const channel = new StreamChannel({ input: sockets.clientEnd, output: sockets.clientEnd }, LIMITS);
    const recorder = new ChannelRecorder();
    channel.open(recorder);
    const sent = await saturate(channel);
    expect(channel.queuedBytes).toBeGreaterThan(LIMITS.highWatermarkBytes);
    expect(recorder.events).toEqual([]);

    const received = numbersIn(sockets.serverEnd);
    await recorder.waitUntil(() => recorder.events.includes('drained'));
    expect([channel.saturated, channel.queuedBytes]).toEqual([false, 0]);
    await channel.end();
    expect(await received).toEqual(upTo(sent));
    // A Windows pipe has no end of one direction alone.
    const isHalfOpen = kind === 'a socket' || process.platform !== 'win32';
    expect(recorder.events.filter((event) => isHalfOpen || event !== 'ended')).toEqual(['drained']);
  });

  it('never refuses a line: what is sent above the watermark arrives as well', async () => {
    await using sockets = await openPair();
    const channel = new StreamChannel({ input: sockets.clientEnd, output: sockets.clientEnd }, LIMITS);
    channel.open(new ChannelRecorder());
    const sent = await saturate(channel);
    for (let n = sent; n < sent + 100; n += 1) channel.send(line(n));
    const ended = channel.end();
    const received = await numbersIn(sockets.serverEnd);
    await ended;
    expect(received).toEqual(upTo(sent + 100));
  });

  it('stands still when it was paused before it was opened, whatever the stream has read', async () => {
    await using sockets = await openPair();
    const readable = once(sockets.clientEnd, 'readable');
    sockets.serverEnd.write('1\n');
    await readable;
    const channel = new StreamChannel({ input: sockets.clientEnd, output: sockets.clientEnd }, LIMITS);
    const recorder = new ChannelRecorder();
    channel.pause();
    channel.open(recorder);
    sockets.serverEnd.write('2\n');
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
    expect(recorder.lines).toEqual([]);
    channel.resume();
    await recorder.waitForLines(2);
    expect(recorder.lines).toEqual(['1', '2']);
  });

  it('makes its peer wait while it is paused, and delivers everything after', async () => {
    await using sockets = await openPair();
    const near = new StreamChannel({ input: sockets.clientEnd, output: sockets.clientEnd }, LIMITS);
    const far = new StreamChannel({ input: sockets.serverEnd, output: sockets.serverEnd }, LIMITS);
    const recorder = new ChannelRecorder();
    near.open(recorder);
    far.open(new ChannelRecorder());
    near.pause();
    const sent = await saturate(far);
    expect(recorder.lines.length).toBe(0);
    near.resume();
    await recorder.waitForLines(sent);
    expect(recorder.lines.map((text) => (JSON.parse(text) as { n: number }).n)).toEqual(upTo(sent));
  });

  it('keeps what a turn has left apart from what is read meanwhile', async () => {
    await using sockets = await openPair();
    await using others = await openPair();
    const [recorder, other] = [new ChannelRecorder(), new ChannelRecorder()];
    const numbers = Array.from({ length: 3 * MAX_LINES_PER_TURN }, (__, n) => `{"n":${n},"pad":"${PAD}"}`);
    const noise = Array.from({ length: MAX_LINES_PER_TURN }, () => `"noise${PAD}${PAD}${PAD}"`);
    for (const [pair, handler, lines] of [
      [sockets, recorder, numbers],
      [others, other, noise],
    ] as const) {
      pair.serverEnd.write(`${lines.join('\n')}\n`);
      new StreamChannel({ input: pair.clientEnd, output: pair.clientEnd }, LIMITS).open(handler);
    }
    await Promise.all([recorder.waitForLines(numbers.length), other.waitForLines(noise.length)]);
    expect([recorder.lines, other.lines]).toEqual([numbers, noise]);
  });

  it('C2: tells once that the pipe is broken when its peer has gone while it sends', async () => {
    await using sockets = await openPair();
    // Reading is another stream, as with the pipes of a process: only the write can notice.
    const channel = new StreamChannel({ input: new PassThrough(), output: sockets.clientEnd }, LIMITS);
    const recorder = new ChannelRecorder();
    channel.open(recorder);
    sockets.serverEnd.destroy();
    for (let n = 0; recorder.channelEnds.length === 0; n += 1) {
      channel.send(line(n));
      await new Promise(setImmediate);
    }
    channel.send(line(0));
    await channel.end();
    channel.destroy();
    expect(recorder.events).toEqual(['failed']);
    expect(recorder.channelEnds[0]?.error).toMatchObject({
      side: 'output',
      cause: { code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) },
    });
  });

  it('C4: ends, when its peer is killed while a write is blocked', async () => {
    await using sockets = await openPair();
    const channel = new StreamChannel({ input: sockets.clientEnd, output: sockets.clientEnd }, LIMITS);
    const recorder = new ChannelRecorder();
    channel.open(recorder);
    await saturate(channel);
    const ended = channel.end();
    kill(sockets.serverEnd);
    await Promise.all([ended, recorder.waitUntilEnded()]);
    expect(recorder.channelEnds).toHaveLength(1);
    expect(recorder.events).not.toContain('drained');
  });

  it('C12: sends a large last line whole before it ends', async () => {
    await using sockets = await openPair();
    const channel = new StreamChannel({ input: sockets.clientEnd, output: sockets.clientEnd }, LIMITS);
    channel.open(new ChannelRecorder());
    const last = Buffer.alloc(20 * 1024 * KIB, 'x');
    channel.send(last);
    const ended = channel.end();
    let bytes = 0;
    sockets.serverEnd.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await Promise.all([ended, once(sockets.serverEnd, 'end')]);
    expect(bytes).toBe(last.length);
  });
});
