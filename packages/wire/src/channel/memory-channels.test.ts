import { describe, expect, it } from 'vitest';

import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { memoryChannels } from './memory-channels.js';

const line = (text: string) => Buffer.from(`${text}\n`);

describe('channelPair', () => {
  it('delivers in a later microtask, never from within send, pause, resume, open or destroy', async () => {
    const [near, far] = memoryChannels();
    const recorder = new ChannelRecorder();
    near.send(line('1'));
    far.open(recorder);
    near.send(line('2'));
    far.pause();
    far.resume();
    expect(recorder.events).toEqual([]);
    await nextTurn();
    expect(recorder.events).toEqual(['line 1', 'line 2']);
    near.destroy();
    expect(recorder.events).toHaveLength(2);
    await nextTurn();
    expect(recorder.events).toEqual(['line 1', 'line 2', 'closed']);
  });

  it('delivers what was sent in answer to a line after the lines that were sent before', async () => {
    const [near, far] = memoryChannels();
    const recorder = new ChannelRecorder();
    const receive = recorder.line.bind(recorder);
    recorder.line = (received) => {
      receive(received);
      if (recorder.lines.length < 3) near.send(line(`answer to ${received.toString()}`));
    };
    far.open(recorder);
    near.send(line('1'));
    near.send(line('2'));
    await nextTurn();
    expect(recorder.lines).toEqual(['1', '2', 'answer to 1', 'answer to 2']);
  });

  it('tells whoever opens it late of the lines and the end that came before', async () => {
    const [near, far] = memoryChannels();
    near.send(line('1'));
    await near.end();
    await nextTurn();
    const recorder = new ChannelRecorder();
    far.open(recorder);
    await recorder.waitUntilEnded();
    expect(recorder.events).toEqual(['line 1', 'closed']);
  });

  it('delivers what was sent before the sender was destroyed', async () => {
    const [near, far] = memoryChannels();
    const recorder = new ChannelRecorder();
    far.open(recorder);
    near.send(line('1'));
    near.destroy();
    near.send(line('2'));
    far.send(line('3'));
    await recorder.waitUntilEnded();
    expect(recorder.events).toEqual(['line 1', 'closed']);
  });

  it('ends for both sides when one ends, and carries nothing from then on', async () => {
    const [near, far] = memoryChannels();
    const recorders = [new ChannelRecorder(), new ChannelRecorder()] as const;
    near.open(recorders[0]);
    far.open(recorders[1]);
    await near.end();
    near.send(line('1'));
    far.send(line('2'));
    await Promise.all(recorders.map((recorder) => recorder.waitUntilEnded()));
    await nextTurn();
    expect(recorders.map((recorder) => recorder.events)).toEqual([['closed'], ['closed']]);
  });

  it('tells a paused side that has nothing waiting of the end', async () => {
    const [near, far] = memoryChannels();
    const recorder = new ChannelRecorder();
    far.open(recorder);
    far.pause();
    await nextTurn();
    near.destroy();
    await recorder.waitUntilEnded();
    expect(recorder.events).toEqual(['closed']);
  });

  it('is never saturated', () => {
    const [near] = memoryChannels();
    for (let n = 0; n < 1000; n += 1) near.send(line('x'.repeat(1000)));
    expect([near.saturated, near.queuedBytes]).toEqual([false, 1001 * 1000]);
  });

  it('makes each pair a connection of its own', async () => {
    const [near] = memoryChannels();
    const [, otherFar] = memoryChannels();
    const recorder = new ChannelRecorder();
    otherFar.open(recorder);
    near.send(line('1'));
    near.destroy();
    await nextTurn();
    expect(recorder.events).toEqual([]);
  });
});
