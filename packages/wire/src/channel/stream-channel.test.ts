import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { streamPairs, WIDE_LIMITS } from '../testing/channel-kinds.js';
import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { ManualWritable } from '../testing/manual-writable.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { StreamChannel, type StreamChannelLimits } from './stream-channel.js';

function withResolvers(): {
  promise: Promise<void>;
  resolve: () => void;
  reject: (reason: Error) => void;
} {
  let resolve = (): void => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

function setUp(limits: Partial<StreamChannelLimits> = {}, heldUntil?: Promise<void>) {
  const [{ input, output }, far] = streamPairs();
  const streams = { input, output, ...(heldUntil && { heldUntil }) };
  const channel = new StreamChannel(streams, { ...WIDE_LIMITS, ...limits });
  return { channel, input, output, far, recorder: new ChannelRecorder() };
}

/** A channel that is held, and has taken the line `1`. */
async function setUpHeld() {
  const held = withResolvers();
  const { channel, far, recorder } = setUp({}, held.promise);
  channel.open(recorder);
  far.output.write('1\n');
  await recorder.waitForLines(1);
  return { held, channel, far, recorder };
}

describe('StreamChannel', () => {
  it('reports a line above its limit, and delivers the next', async () => {
    const { channel, far, recorder } = setUp({ maxLineBytes: 10 });
    channel.open(recorder);
    far.output.write('{"a":1}\n"0123456789"\n{"b":2}\n');
    await recorder.waitForLines(2);
    expect(recorder.events).toEqual(['line {"a":1}', 'oversized 12', 'line {"b":2}']);
  });

  it('leaves the input alone until it is opened', async () => {
    const { channel, input, far, recorder } = setUp();
    far.output.write('{}\n');
    await nextTurn();
    expect([input.readableFlowing, input.listenerCount('data')]).toEqual([null, 0]);
    channel.open(recorder);
    await recorder.waitForLines(1);
  });

  it('takes only what comes first while it is held, and the rest in order after', async () => {
    const { held, far, recorder } = await setUpHeld();
    far.output.write('2\n');
    far.output.write('3\n');
    await nextTurn();
    expect(recorder.lines).toEqual(['1']);
    held.resolve();
    await recorder.waitForLines(3);
    expect(recorder.lines).toEqual(['1', '2', '3']);
  });

  it('stays paused when what held it is over, and goes on when what it waits for has failed', async () => {
    const { held, channel, far, recorder } = await setUpHeld();
    channel.pause();
    far.output.write('2\n');
    held.reject(new Error('no config'));
    await nextTurn();
    expect(recorder.lines).toEqual(['1']);
    channel.resume();
    await recorder.waitForLines(2);
  });

  it('stops taking from the input while it is paused', async () => {
    const { channel, input, far, recorder } = setUp();
    channel.open(recorder);
    channel.pause();
    while (far.output.write(`${'1'.repeat(1000)}\n`)) await nextTurn();
    expect(input.readableLength).toBeGreaterThan(1000);
    expect(recorder.events).toEqual([]);
    const drained = once(far.output, 'drain');
    channel.resume();
    await drained;
    expect(recorder.lines.length).toBeGreaterThan(10);
  });

  it('C1, B29: tells that the input has ended, after the last line, with or without its newline', async () => {
    const { channel, far, recorder } = setUp();
    channel.open(recorder);
    far.output.end('{"a":1}\n{"b":2}');
    await recorder.waitUntilEnded();
    expect(recorder.events).toEqual(['line {"a":1}', 'line {"b":2}', 'ended']);
  });

  it('sends on when the input has ended: the peer may still read', async () => {
    const { channel, far, recorder } = setUp();
    channel.open(recorder);
    far.output.end();
    await recorder.waitUntilEnded();
    channel.send(Buffer.from('{"answer":1}\n'));
    const received = text(far.input);
    await channel.end();
    expect(await received).toBe('{"answer":1}\n');
  });

  it('C2: tells once that the pipe is broken, and throws nothing then or later', async () => {
    const { channel, output, recorder } = setUp();
    channel.open(recorder);
    output.destroy(new Error('write EPIPE'));
    await recorder.waitUntilEnded();
    channel.send(Buffer.from('{}\n'));
    output.emit('error', new Error('write EPIPE'));
    channel.destroy();
    await nextTurn();
    await channel.end();
    expect(recorder.events).toEqual(['failed']);
    expect(recorder.channelEnds[0]?.error?.message).toBe('write EPIPE');
  });

  it('tells once that the input has failed', async () => {
    const { channel, input, recorder } = setUp();
    channel.open(recorder);
    input.destroy(new Error('read EIO'));
    await recorder.waitUntilEnded();
    await nextTurn();
    expect(recorder.channelEnds).toEqual([
      { reason: 'failed', error: expect.objectContaining({ message: 'read EIO' }) },
    ]);
  });

  it('tells that the input was closed without an end', async () => {
    const { channel, input, recorder } = setUp();
    channel.open(recorder);
    input.destroy();
    await recorder.waitUntilEnded();
    expect(recorder.events).toEqual(['closed']);
  });

  it.each([
    [
      'the output fails',
      'failed',
      ({ output }: ReturnType<typeof setUp>) => output.destroy(new Error('EPIPE')),
    ],
    ['the input fails', 'failed', ({ input }: ReturnType<typeof setUp>) => input.destroy(new Error('EIO'))],
    ['the input is closed', 'closed', ({ input }: ReturnType<typeof setUp>) => input.destroy()],
    ['the input ends', 'ended', ({ input }: ReturnType<typeof setUp>) => input.resume().push(null)],
  ])('tells whoever opens it that it is over when %s before', async (_, reason, breakIt) => {
    const parts = setUp();
    breakIt(parts);
    await nextTurn();
    parts.channel.open(parts.recorder);
    expect(parts.recorder.events).toEqual([]);
    await parts.recorder.waitUntilEnded();
    await nextTurn();
    expect(parts.recorder.events).toEqual([reason]);
  });

  it('closes both streams when it is destroyed; what is queued is lost', async () => {
    const { channel, input, output, far, recorder } = setUp();
    channel.open(recorder);
    channel.send(Buffer.from('lost\n'));
    channel.destroy();
    await recorder.waitUntilEnded();
    expect([input.destroyed, output.destroyed]).toEqual([true, true]);
    channel.send(Buffer.from('lost too\n'));
    await nextTurn();
    expect(far.input.read()).toBeNull();
    expect(recorder.events).toEqual(['closed']);
  });

  it('is saturated above its watermark and says once when it has drained', async () => {
    const output = new ManualWritable(10);
    const channel = new StreamChannel(
      { input: new PassThrough(), output },
      { ...WIDE_LIMITS, highWatermarkBytes: 100 },
    );
    const recorder = new ChannelRecorder();
    channel.open(recorder);
    channel.send(Buffer.from(`"${'x'.repeat(98)}"`));
    expect(channel.saturated).toBe(false);
    channel.send(Buffer.from('\n'));
    expect([channel.saturated, channel.queuedBytes]).toEqual([true, 101]);
    await nextTurn();
    expect(recorder.events).toEqual([]);
    await output.takeAll();
    expect([channel.saturated, channel.queuedBytes, recorder.events]).toEqual([false, 0, ['drained']]);
  });

  it('ends only its own side', async () => {
    const { channel, far, recorder } = setUp();
    channel.open(recorder);
    far.input.resume();
    await channel.end();
    await finished(far.input);
    far.output.write('{"late":1}\n');
    await recorder.waitForLines(1);
    expect(recorder.events).toEqual(['line {"late":1}']);
  });
});
