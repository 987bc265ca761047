import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { CHANNEL_KINDS } from '../testing/channel-kinds.js';
import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { nextTurn } from '@mcpmux/testing/next-turn';
import type { Channel } from './channel.js';

const line = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);
const texts = (count: number) => Array.from({ length: count }, (_, index) => JSON.stringify({ n: index }));

function sendAll(channel: Channel, count: number): void {
  for (let n = 0; n < count; n += 1) channel.send(line({ n }));
}

function open(channel: Channel): ChannelRecorder {
  const recorder = new ChannelRecorder();
  channel.open(recorder);
  return recorder;
}

/** What every line channel promises. */
describe.each(CHANNEL_KINDS)('a channel over %s', (kind, connect) => {
  it('carries lines both ways, in order and without their newlines', async () => {
    await using channels = await connect();
    const [near, far] = [open(channels.near), open(channels.far)];
    sendAll(channels.near, 500);
    channels.far.send(line({ text: '日本\u2028\u{1F600}\n' }));
    await Promise.all([far.waitForLines(500), near.waitForLines(1)]);
    expect(far.lines).toEqual(texts(500));
    expect(near.lines).toEqual(['{"text":"日本\u2028\u{1F600}\\n"}']);
    await nextTurn();
    channels.near.send(line('later'));
    await far.waitForLines(501);
    expect(far.lines.at(-1)).toBe('"later"');
  });

  it('loses nothing of what came before it was opened', async () => {
    await using channels = await connect();
    open(channels.near);
    sendAll(channels.near, 3);
    await nextTurn();
    const far = open(channels.far);
    sendAll(channels.near, 1);
    await far.waitForLines(4);
    expect(far.lines).toEqual([...texts(3), ...texts(1)]);
  });

  it('delivers nothing while it is paused, and loses nothing of what came meanwhile', async () => {
    await using channels = await connect();
    open(channels.near);
    const far = open(channels.far);
    channels.far.pause();
    sendAll(channels.near, 300);
    await nextTurn();
    await nextTurn();
    expect(far.events).toEqual([]);
    channels.far.resume();
    sendAll(channels.near, 1);
    await far.waitForLines(301);
    expect(far.lines).toEqual([...texts(300), ...texts(1)]);
  });

  it('may be paused and resumed from within the delivery of a line', async () => {
    await using channels = await connect();
    open(channels.near);
    const far = new ChannelRecorder();
    const receive = far.line.bind(far);
    far.line = (received) => {
      receive(received);
      channels.far.pause();
      if (far.lines.length % 2 === 0) channels.far.resume();
      else setImmediate(() => channels.far.resume());
    };
    channels.far.open(far);
    sendAll(channels.near, 100);
    await far.waitForLines(100);
    expect(far.lines).toEqual(texts(100));
  });

  it('delivers a line that comes in answer to a delivered one after those that waited before', async () => {
    await using channels = await connect();
    open(channels.near);
    const far = new ChannelRecorder();
    const receive = far.line.bind(far);
    far.line = (received) => {
      receive(received);
      if (far.lines.length === 1) channels.near.send(line('answer'));
    };
    channels.far.open(far);
    channels.far.pause();
    sendAll(channels.near, 3);
    await nextTurn();
    channels.far.resume();
    await far.waitForLines(4);
    expect(far.lines).toEqual([...texts(3), '"answer"']);
  });

  it('counts what it has accepted and its peer has not taken', async () => {
    await using channels = await connect();
    open(channels.near);
    const far = open(channels.far);
    expect(channels.near.queuedBytes).toBe(0);
    sendAll(channels.near, 10);
    expect(channels.near.queuedBytes).toBe(10 * line({ n: 0 }).length);
    expect(channels.near.saturated).toBe(false);
    await far.waitForLines(10);
    await nextTurn();
    expect(channels.near.queuedBytes).toBe(0);
  });

  it('sends what is queued before it ends', async () => {
    await using channels = await connect();
    open(channels.near);
    const far = open(channels.far);
    sendAll(channels.near, 200);
    await channels.near.end();
    await far.waitUntilEnded();
    expect(far.events).toEqual([...texts(200).map((text) => `line ${text}`), far.channelEnds[0]?.reason]);
  });

  it('tells a paused peer of the end after the lines that came before it', async ({ skip }) => {
    skip(
      kind === 'pipes' && process.platform === 'win32',
      'there a pipe ends when its peer has read everything',
    );
    await using channels = await connect();
    open(channels.near);
    const far = open(channels.far);
    channels.far.pause();
    sendAll(channels.near, 3);
    await channels.near.end();
    await nextTurn();
    expect(far.events).toEqual([]);
    channels.far.resume();
    await far.waitUntilEnded();
    expect(far.events).toEqual([...texts(3).map((text) => `line ${text}`), far.channelEnds[0]?.reason]);
  });

  it('ends once for both sides when one of them is destroyed, however often', async () => {
    await using channels = await connect();
    const [near, far] = [open(channels.near), open(channels.far)];
    channels.near.destroy();
    channels.near.destroy();
    await Promise.all([near.waitUntilEnded(), channels.far.end()]);
    channels.far.destroy();
    await far.waitUntilEnded();
    channels.near.destroy();
    await nextTurn();
    expect(near.events).toEqual(['closed']);
    expect(far.channelEnds).toHaveLength(1);
  });

  it('delivers nothing more after it was destroyed, also when it was paused', async () => {
    await using channels = await connect();
    open(channels.near);
    const far = open(channels.far);
    channels.far.pause();
    sendAll(channels.near, 3);
    await nextTurn();
    channels.far.destroy();
    await far.waitUntilEnded();
    channels.far.resume();
    sendAll(channels.near, 3);
    await nextTurn();
    expect(far.events).toEqual(['closed']);
  });

  it('drops what is sent after its end, and throws nothing', async () => {
    await using channels = await connect();
    const near = open(channels.near);
    const far = open(channels.far);
    channels.near.destroy();
    sendAll(channels.near, 2);
    await near.waitUntilEnded();
    sendAll(channels.near, 2);
    await nextTurn();
    expect(far.lines).toEqual([]);
    expect(near.lines).toEqual([]);
  });

  it('ends in order when its peer has gone: nobody will take the rest', async () => {
    await using channels = await connect();
    const near = open(channels.near);
    open(channels.far);
    channels.far.destroy();
    await near.waitUntilEnded();
    sendAll(channels.near, 2);
    await expect(channels.near.end()).resolves.toBeUndefined();
    expect(near.channelEnds).toHaveLength(1);
  });

  it('may be ended twice', async () => {
    await using channels = await connect();
    open(channels.near);
    const far = open(channels.far);
    sendAll(channels.near, 2);
    await Promise.all([channels.near.end(), channels.near.end()]);
    await channels.near.end();
    await far.waitUntilEnded();
    expect(far.lines).toEqual(texts(2));
  });
});
