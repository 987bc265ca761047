import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { streamPairs, WIDE_LIMITS } from '../testing/channel-kinds.js';
import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { PipeError } from './pipe-error.js';
import { MAX_LINES_PER_TURN, StreamChannel, type StreamChannelLimits } from './stream-channel.js';

function setUp(limits: Partial<StreamChannelLimits> = {}) {
  const [near, far] = streamPairs();
  const channel = new StreamChannel(near, { ...WIDE_LIMITS, ...limits });
  const recorder = new ChannelRecorder();
  channel.open(recorder);
  return { channel, far, near, recorder };
}

function lines(count: number, from = 0): string {
  return Array.from({ length: count }, (_, index) => `{"n":${from + index}}\n`).join('');
}

function numbers(recorder: ChannelRecorder): number[] {
  return recorder.lines.map((line) => Number(/\d+/.exec(line)?.[0]));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

describe('a flood of short lines', () => {
  it('B30: is taken in slices, and timers and other peers come between', async () => {
    const { far, recorder } = setUp();
    const seen: number[] = [];
    const look = (): void => {
      seen.push(recorder.lines.length);
      if (recorder.lines.length < 10_000) setImmediate(look);
    };
    far.output.write(lines(10_000));
    setImmediate(look);
    await recorder.waitForLines(10_000);
    const steps = seen.map((count, index) => count - (seen[index - 1] ?? 0));
    // the first look may come after the slice that the chunk brought and the one that follows it
    expect(Math.max(...steps)).toBeLessThanOrEqual(2 * MAX_LINES_PER_TURN);
    expect(numbers(recorder)).toEqual(upTo(10_000));
  });

  it('keeps its order over chunks that come meanwhile', async () => {
    const { far, recorder } = setUp();
    far.output.write(lines(1000));
    await nextTurn();
    far.output.write(lines(1000, 1000));
    await recorder.waitForLines(2000);
    expect(numbers(recorder)).toEqual(upTo(2000));
  });

  it('waits while the channel is paused, and loses nothing', async () => {
    const { channel, far, recorder } = setUp();
    far.output.write(lines(1000));
    await recorder.waitForLines(1);
    channel.pause();
    const count = recorder.lines.length;
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    expect(recorder.lines).toHaveLength(count);
    channel.resume();
    await recorder.waitForLines(1000);
    expect(numbers(recorder)).toEqual(upTo(1000));
  });

  it('is told whole before the end of the stream, also when the stream is read on meanwhile', async () => {
    const { far, near, recorder } = setUp();
    near.input.on('pause', () => queueMicrotask(() => near.input.resume()));
    far.output.end(lines(1000));
    await recorder.waitUntilEnded();
    expect(numbers(recorder)).toEqual(upTo(1000));
    expect(recorder.events.at(-1)).toBe('ended');
  });

  it('is told whole before the stream fails', async () => {
    const { far, near, recorder } = setUp();
    far.output.write(lines(1000));
    await recorder.waitForLines(1);
    near.input.destroy(new Error('read EIO'));
    await recorder.waitUntilEnded();
    expect(recorder.lines).toHaveLength(1000);
  });

  it('is dropped when the channel is destroyed', async () => {
    const { channel, far, recorder } = setUp();
    far.output.write(lines(1000));
    await recorder.waitForLines(1);
    channel.destroy();
    await recorder.waitUntilEnded();
    expect(recorder.lines.length).toBeLessThanOrEqual(MAX_LINES_PER_TURN);
  });
});

describe('a line without an end', () => {
  it('B7: ends the channel above its limit, and nothing after it is read', async () => {
    const { far, recorder } = setUp({ maxLineBytes: 100, maxEndlessLineBytes: 10_000 });
    for (let sent = 0; sent < 20_000; sent += 1000) far.output.write('x'.repeat(1000));
    await recorder.waitUntilEnded();
    far.output.write('\n{}\n');
    await nextTurn();
    expect(recorder.events).toEqual(['failed']);
    expect(recorder.channelEnds[0]?.error).toMatchObject({
      side: 'input',
      message: 'a line of more than 10000 bytes has no end',
    });
  });
});

describe('a peer that frames by headers', () => {
  it('A5: is sent a line in pieces with one header', async () => {
    const { channel, far, recorder } = setUp();
    far.output.write('Content-Length: 8\r\n\r\n{"id":1}');
    await recorder.waitForLines(1);
    channel.send(['{"list":', '[1]', '}\n'].map((part) => Buffer.from(part)));
    const received = text(far.input);
    await channel.end();
    expect(await received).toBe('Content-Length: 12\r\n\r\n{"list":[1]}');
  });

  it('is answered in kind', async () => {
    const { channel, far, recorder } = setUp();
    far.output.write('Content-Length: 8\r\n\r\n{"id":1}');
    await recorder.waitForLines(1);
    channel.send(Buffer.from('{"id":1,"result":"日"}\n'));
    channel.send(Buffer.from('{}\n'));
    const received = text(far.input);
    await channel.end();
    expect(recorder.lines).toEqual(['{"id":1}']);
    expect(await received).toBe(
      'Content-Length: 23\r\n\r\n{"id":1,"result":"日"}Content-Length: 2\r\n\r\n{}',
    );
  });

  it('only in its answers goes on being sent the lines that it understood', async () => {
    const { channel, far, recorder } = setUp();
    channel.send(Buffer.from('{"id":1,"method":"initialize"}\n'));
    far.output.write('Content-Length: 8\r\n\r\n{"id":1}');
    await recorder.waitForLines(1);
    channel.send(Buffer.from('{}\n'));
    const received = text(far.input);
    await channel.end();
    expect(await received).toBe('{"id":1,"method":"initialize"}\n{}\n');
  });
});

describe('the side that fails', () => {
  it.each<['input' | 'output', string]>([
    ['input', 'read EIO'],
    ['output', 'write EPIPE'],
  ])('is named: %s', async (side, message) => {
    const { near, recorder } = setUp();
    near[side].destroy(new Error(message));
    await recorder.waitUntilEnded();
    expect(recorder.channelEnds[0]).toMatchObject({ reason: 'failed', error: { side, message } });
    expect(recorder.channelEnds[0]?.error).toBeInstanceOf(PipeError);
  });

  it('C3: is the output when the peer reads nothing for too long', async () => {
    const clock = new ManualClock();
    const { channel, recorder } = setUp({ stall: { clock, afterMs: 30_000 } });
    channel.send(Buffer.from(`"${'x'.repeat(100_000)}"\n`));
    await nextTurn();
    clock.advance(30_000);
    expect(recorder.channelEnds[0]?.error).toMatchObject({
      side: 'output',
      message: expect.stringMatching(/^it has read nothing for 30 s while \d+ bytes wait$/),
    });
    expect(clock.timerCount).toBe(0);
  });
});
