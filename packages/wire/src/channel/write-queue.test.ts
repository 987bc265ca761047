import { once } from 'node:events';
import type { Socket } from 'node:net';
import process from 'node:process';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { ManualWritable } from '../testing/manual-writable.js';
import { measureHeldBufferBytes } from '@mcpmux/testing/held-memory';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { openPipePair } from '@mcpmux/testing/socket-pair';
import { createImmediateWrite } from '../pipe/pipe-handle.js';
import { WriteQueue } from './write-queue.js';
import { lineSlots, lineSlotsFor } from '../pipe/read-buffers.js';
import { SplicedLine } from '../splice/splice.js';
import { jsonSkipper, type JsonSkipper } from '../json/json-skipper.js';

const KIB = 1024;
/** On Windows a pipe has no descriptor: nothing leaves at once, and the stream takes copies. */
const LEAVES_AT_ONCE = process.platform !== 'win32';

function setUp({ highWatermarkBytes = 1000, streamHighWaterMark = 100 } = {}) {
  const stream = new ManualWritable(streamHighWaterMark);
  const drains: number[] = [];
  const queue = new WriteQueue(
    stream,
    { highWatermarkBytes },
    {
      drained: () => drains.push(queue.queuedBytes),
    },
  );
  return { stream, queue, drains, push: (line: string) => queue.push(Buffer.from(line)) };
}

/** The first `length` bytes that arrive, or a few more. */
async function bytesFrom(from: Readable, length: number): Promise<string> {
  const chunks: Buffer[] = [];
  let count = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    count += chunk.length;
    if (count >= length) break;
  }
  return Buffer.concat(chunks).toString();
}

describe('the lines of an queue', () => {
  it('leave in one write when they were given in one turn', async () => {
    const { stream, push } = setUp();
    push('a\n');
    push('b\n');
    push('c\n');
    expect(stream.writes).toEqual([]);
    await nextTurn();
    expect(stream.writes).toEqual([[Buffer.from('a\nb\nc\n')]]);
  });

  it('leave in another write in another turn', async () => {
    const { stream, push } = setUp();
    push('a\n');
    await nextTurn();
    push('b\n');
    await stream.takeAll();
    expect(stream.writes.map((write) => write.join('|'))).toEqual(['a\n', 'b\n']);
  });

  it('leave as they are when they are large: in one write, without a copy', async () => {
    const { stream, queue } = setUp();
    const lines = [Buffer.alloc(40 * KIB, 'a'), Buffer.alloc(40 * KIB, 'b'), Buffer.from('c\n')];
    for (const line of lines) queue.push(line);
    await nextTurn();
    expect(stream.writes).toHaveLength(1);
    expect(stream.writes[0]?.map((part, index) => part === lines[index])).toEqual([true, true, false]);
    expect(stream.text === Buffer.concat(lines).toString()).toBe(true);
  });

  it('leave in one write however many they are, where no pipe takes them at once', async () => {
    const { stream, queue } = setUp();
    for (let lines = 0; lines < 20; lines += 1) queue.push(Buffer.alloc(10 * KIB, 'x'));
    expect(stream.writes).toEqual([]);
    await nextTurn();
    expect(stream.writes).toHaveLength(1);
  });

  it('leave when they come while the stream takes the ones before', async () => {
    const stream = new PassThrough();
    const queue = new WriteQueue(stream, { highWatermarkBytes: 1000 }, { drained: () => undefined });
    const received: string[] = [];
    stream.on('data', (chunk: Buffer) => {
      received.push(chunk.toString());
      if (received.length < 5) queue.push(Buffer.from(`${received.length}\n`));
    });
    queue.push(Buffer.from('0\n'));
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
    expect(received.join('')).toBe('0\n1\n2\n3\n4\n');
  });

  it('are put together where they leave from', async () => {
    const { stream, queue } = setUp();
    queue.push(new SplicedLine(Buffer.from('{"id":1}'), [{ span: { start: 6, end: 7 }, bytes: '22' }]));
    queue.push(Buffer.from('b\n'));
    await nextTurn();
    expect(stream.writes).toEqual([[Buffer.from('{"id":22}\nb\n')]]);
  });

  it('keep their order over small, large and waiting batches', async () => {
    const { stream, queue } = setUp();
    const sizes = [1, 70 * KIB, 2, 3, 64 * KIB, 64 * KIB - 1, 5, 200 * KIB];
    const lines = sizes.map((size, index) => `${String(index).repeat(size)}\n`);
    for (const [index, line] of lines.entries()) {
      queue.push(Buffer.from(line));
      if (index % 3 === 1) await nextTurn();
      if (index === 4) stream.take();
    }
    await nextTurn();
    await stream.takeAll();
    expect(stream.text === lines.join('')).toBe(true);
    expect(queue.queuedBytes).toBe(0);
  });
});

describe.runIf(LEAVES_AT_ONCE)('an queue over a pipe whose peer does not read', () => {
  async function full({ spare = 0 } = {}) {
    // what a pipe takes at once here, when much of it leaves before the end of the turn
    await using measured = await openPipePair();
    const write = createImmediateWrite(measured.clientEnd);
    const taken = [130 * KIB, 64 * 1024 * KIB].map((bytes) => write?.([Buffer.alloc(bytes)]) ?? 0);
    const capacity = taken.reduce((sum, bytes) => sum + bytes);
    const pair = await openPipePair();
    const reported: string[] = [];
    const queue = new WriteQueue(
      pair.clientEnd,
      { highWatermarkBytes: 100 * KIB },
      {
        waiting: () => reported.push('waiting'),
        accepted: () => reported.push('taken'),
        drained: () => reported.push('drained'),
      },
    );
    const sent = capacity + spare;
    // in lines that do not leave at once each
    for (let left = sent; left > 0; left -= 10 * KIB) queue.push(Buffer.alloc(Math.min(left, 10 * KIB), 'x'));
    await nextTurn();
    return { pair, reported, queue, sent };
  }

  it('tells that something waits, however little, and when the peer has taken it', async () => {
    const { pair, reported, queue, sent } = await full({ spare: 1000 });
    await using _ = pair;
    // less than the last line: whoever feeds it may go on
    expect([reported, queue.queuedBytes, queue.saturated]).toEqual([['waiting', 'drained'], 1000, false]);
    expect(await bytesFrom(pair.serverEnd, sent)).toHaveLength(sent);
    await nextTurn();
    expect([reported, queue.queuedBytes]).toEqual([['waiting', 'drained', 'taken'], 0]);
  });

  it('tells what was taken in one step before anybody goes on: an exception would leave the rest untold', async () => {
    const { pair, reported, queue } = await full({ spare: 20 * KIB });
    await using _ = pair;
    for (let write = 0; write < 3; write += 1) {
      queue.push(Buffer.alloc(100 * KIB));
      await nextTurn();
    }
    expect([reported.splice(0), queue.saturated]).toEqual([
      ['waiting', 'waiting', 'waiting', 'waiting'],
      true,
    ]);
    pair.serverEnd.resume();
    await expect.poll(() => reported).toContain('drained');
    expect(reported).toEqual(['taken', 'taken', 'taken', 'taken', 'drained']);
  });

  it('does not tell that something was taken when the pipe is closed', async () => {
    const { pair, reported } = await full({ spare: 1000 });
    await using _ = pair;
    reported.length = 0;
    const closed = once(pair.clientEnd, 'close');
    pair.clientEnd.destroy();
    await closed;
    await nextTurn();
    expect(reported).toEqual([]);
  });

  it('holds about as much memory as it counts', async () => {
    const { pair, queue } = await full({ spare: KIB });
    await using _ = pair;
    const before = measureHeldBufferBytes();
    for (let lines = 0; lines < 1000; lines += 1) {
      queue.push(Buffer.from(`${'x'.repeat(100)}\n`));
      await nextTurn();
    }
    expect(queue.queuedBytes).toBeGreaterThan(100_000);
    expect(measureHeldBufferBytes() - before).toBeLessThan(10 * queue.queuedBytes);
  });
});

describe.runIf(LEAVES_AT_ONCE)('what leaves for a pipe at once', () => {
  async function setUpPipe() {
    const pair = await openPipePair();
    const reported: string[] = [];
    const queue = new WriteQueue(
      pair.clientEnd,
      { highWatermarkBytes: 10 * KIB },
      { drained: () => reported.push('drained'), waiting: () => reported.push('waiting') },
    );
    return { pair, queue, reported };
  }

  it('is a large line, behind those before it', async () => {
    const { pair, queue } = await setUpPipe();
    await using _ = pair;
    const large = 'b'.repeat(64 * KIB);
    queue.push(Buffer.from('a'));
    queue.push([Buffer.from(large.slice(0, 10)), Buffer.from(large.slice(10))]);
    expect(queue.queuedBytes).toBe(0);
    queue.push(Buffer.from('c'));
    expect(queue.queuedBytes).toBe(1);
    expect((await bytesFrom(pair.serverEnd, large.length + 2)) === `a${large}c`).toBe(true);
  });

  it('is 128 KiB of short lines', async () => {
    const { pair, queue } = await setUpPipe();
    await using _ = pair;
    const line = Buffer.alloc(10 * KIB, 'x');
    for (let lines = 0; lines < 12; lines += 1) queue.push(line);
    expect(queue.queuedBytes).toBe(12 * line.length);
    queue.push(line);
    expect(queue.queuedBytes).toBe(0);
    expect(await bytesFrom(pair.serverEnd, 13 * line.length)).toHaveLength(13 * line.length);
  });

  it('saturates nothing when the pipe takes it', async () => {
    const { pair, queue, reported } = await setUpPipe();
    await using _ = pair;
    queue.push(Buffer.alloc(64 * KIB, 'x'));
    expect([queue.saturated, reported]).toEqual([false, []]);
  });

  it('waits behind what the pipe has left', async () => {
    const { pair, queue, reported } = await setUpPipe();
    await using _ = pair;
    const much = 'a'.repeat(4 * 1024 * KIB);
    const large = 'b'.repeat(64 * KIB);
    queue.push(Buffer.from(much));
    expect([queue.saturated, reported]).toEqual([true, ['waiting']]);
    queue.push(Buffer.from(large));
    expect((await bytesFrom(pair.serverEnd, much.length + large.length)) === much + large).toBe(true);
  });
});

describe.runIf(LEAVES_AT_ONCE)('the rest of a line in a slot that a pipe has left', () => {
  const length = 1024 * KIB;

  /** Bytes in a slot, as a line that has come together there. */
  function lineInSlot(index = 0): Buffer {
    expect(lineSlotsFor(length)).toBeDefined();
    return (jsonSkipper() as JsonSkipper).lineSlots.subarray(index * length, (index + 1) * length).fill('r');
  }

  /** Whether the slots with these numbers are retained. */
  function areRetained(...indexes: readonly number[]): boolean[] {
    return indexes.map((index) => lineSlots()?.findSlot(lineInSlot(index))?.isFree === false);
  }

  /** Lets a stream be closed as standard output is: it goes on writing. */
  function keepHandleOf(near: Socket): void {
    Object.assign(near, {
      _destroy: (error: Error | null, callback: (error: Error | null) => void) => {
        callback(error);
        process.nextTick(() => near.emit('close'));
      },
    });
  }

  it('stays there until it is taken', async () => {
    await using pair = await openPipePair();
    const queue = new WriteQueue(pair.clientEnd, { highWatermarkBytes: KIB }, { drained: () => undefined });
    const line = lineInSlot();
    const before = measureHeldBufferBytes();
    queue.push([line, Buffer.from('\n')]);
    expect(measureHeldBufferBytes() - before).toBeLessThan(length / 4);
    expect(areRetained(0)).toEqual([true]);
    expect(await bytesFrom(pair.serverEnd, length + 1)).toHaveLength(length + 1);
    await nextTurn();
    expect(areRetained(0)).toEqual([false]);
    await queue.end();
  });

  it('is released when it is taken, whatever waits behind it', async () => {
    await using pair = await openPipePair();
    const retained: boolean[][] = [];
    const queue = new WriteQueue(
      pair.clientEnd,
      { highWatermarkBytes: KIB },
      { drained: () => undefined, accepted: () => retained.push(areRetained(0, 1)) },
    );
    queue.push([lineInSlot(0)]);
    queue.push([lineInSlot(1)]);
    await nextTurn();
    expect(areRetained(0, 1)).toEqual([true, true]);
    expect(await bytesFrom(pair.serverEnd, 2 * length)).toHaveLength(2 * length);
    await expect.poll(() => retained).toHaveLength(2);
    expect(retained).toEqual([
      [false, true],
      [false, false],
    ]);
    await queue.end();
  });

  it('is released when its write fails, also if the stream keeps its handle, as standard output does', async () => {
    await using pair = await openPipePair();
    const near = pair.clientEnd;
    keepHandleOf(near);
    near.on('error', () => undefined);
    const queue = new WriteQueue(near, { highWatermarkBytes: KIB }, { drained: () => undefined });
    for (let write = 0; write < 2; write += 1) {
      queue.push([lineInSlot()]);
      await nextTurn();
    }
    const closed = new Promise((resolve) => {
      near.on('close', resolve);
    });
    pair.serverEnd.destroy();
    await closed;
    await expect.poll(() => areRetained(0)).toEqual([false]);
  });

  it('is given up with the pipe', async () => {
    await using pair = await openPipePair();
    const queue = new WriteQueue(pair.clientEnd, { highWatermarkBytes: KIB }, { drained: () => undefined });
    for (let write = 0; write < 3; write += 1) {
      queue.push([lineInSlot()]);
      await nextTurn();
    }
    expect(areRetained(0)).toEqual([true]);
    const closed = once(pair.clientEnd, 'close');
    pair.clientEnd.destroy();
    await closed;
    expect(areRetained(0)).toEqual([false]);
  });

  it('stays there when a stream is closed that goes on writing, as standard output does', async () => {
    await using pair = await openPipePair();
    const near = pair.clientEnd;
    keepHandleOf(near);
    const queue = new WriteQueue(near, { highWatermarkBytes: KIB }, { drained: () => undefined });
    queue.push([lineInSlot()]);
    const closed = once(near, 'close');
    near.destroy();
    await closed;
    expect(areRetained(0)).toEqual([true]);
    expect((await bytesFrom(pair.serverEnd, length)) === 'r'.repeat(length)).toBe(true);
    await expect.poll(() => areRetained(0)).toEqual([false]);
  });

  it('is copied for a stream that is no pipe: nobody knows how long that needs it', async () => {
    const { stream, queue } = setUp();
    const line = lineInSlot();
    queue.push([line]);
    await nextTurn();
    expect(areRetained(0)).toEqual([false]);
    line.fill('#');
    await stream.takeAll();
    expect(stream.text === 'r'.repeat(length)).toBe(true);
  });
});

describe('the queue of an queue', () => {
  it('counts what waits here and in the stream', async () => {
    const { stream, queue, push } = setUp();
    expect(queue.queuedBytes).toBe(0);
    push('12345');
    expect(queue.queuedBytes).toBe(5);
    await nextTurn();
    expect(queue.queuedBytes).toBe(5);
    push('678');
    expect(queue.queuedBytes).toBe(8);
    await stream.takeAll();
    expect(queue.queuedBytes).toBe(0);
  });

  it('is saturated above its watermark, and drained once when the peer has taken everything', async () => {
    const { stream, queue, drains, push } = setUp();
    push('x'.repeat(1000));
    expect(queue.saturated).toBe(false);
    push('x');
    expect(queue.saturated).toBe(true);
    await nextTurn();
    push('y'.repeat(5000));
    await nextTurn();
    expect([queue.saturated, drains]).toEqual([true, []]);
    await stream.takeAll();
    expect([queue.saturated, drains]).toEqual([false, [0]]);
  });

  it('is drained when only the last line is left: the peer has something to read until the next one comes', async () => {
    const { stream, queue, drains, push } = setUp();
    push('x'.repeat(700));
    await nextTurn();
    push('x'.repeat(600));
    await nextTurn();
    expect([queue.saturated, drains]).toEqual([true, []]);
    stream.take();
    await nextTurn();
    expect([queue.saturated, drains]).toEqual([false, [600]]);
  });

  it('is not drained when more is left than the last line', async () => {
    const { stream, queue, drains, push } = setUp();
    for (const length of [700, 600, 300]) {
      push('x'.repeat(length));
      await nextTurn();
    }
    stream.take();
    await nextTurn();
    expect([queue.saturated, drains]).toEqual([true, []]);
    await stream.takeAll();
    expect([queue.saturated, drains]).toEqual([false, [0]]);
  });

  it('says nothing when it drains without having been saturated', async () => {
    const { stream, drains, push } = setUp();
    push('x'.repeat(500));
    await nextTurn();
    await stream.takeAll();
    expect(drains).toEqual([]);
  });

  it('is drained again after each time that it was saturated', async () => {
    const { stream, queue, drains, push } = setUp();
    for (let round = 0; round < 3; round += 1) {
      push('x'.repeat(1001));
      expect(queue.saturated).toBe(true);
      await nextTurn();
      await stream.takeAll();
    }
    expect(drains).toEqual([0, 0, 0]);
  });

  it('is drained at once when the stream takes all of what saturated it', async () => {
    const { queue, drains, push } = setUp({ streamHighWaterMark: 100 * KIB });
    push('x'.repeat(1001));
    expect(queue.saturated).toBe(true);
    await nextTurn();
    expect(queue.saturated).toBe(false);
    expect(drains).toHaveLength(1);
  });

  it('stays saturated when the stream drains before it was given what waits here', async () => {
    const { stream, queue, drains, push } = setUp();
    push('x'.repeat(200));
    await nextTurn();
    push('y'.repeat(2000));
    stream.take();
    expect(stream.writableLength).toBe(0);
    await nextTurn();
    expect([queue.saturated, drains]).toEqual([true, []]);
    await stream.takeAll();
    expect([queue.saturated, drains]).toEqual([false, [0]]);
  });
});

describe('an queue that a stream comes back to while it writes', () => {
  it('is not drained while the line waits that has come with it', async () => {
    const stream = new PassThrough({ highWaterMark: 1000 * KIB });
    const drains: number[] = [];
    const queue = new WriteQueue(
      stream,
      { highWatermarkBytes: 1000 },
      { drained: () => drains.push(queue.queuedBytes) },
    );
    stream.once('data', () => queue.push(Buffer.alloc(5000, 'x')));
    stream.on('data', () => undefined);
    queue.push(Buffer.from('a line\n'));
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(drains).toEqual([0]);
  });
});

describe('the end of an queue', () => {
  it('comes when everything has been taken', async () => {
    const stream = new PassThrough({ highWaterMark: 10 });
    const queue = new WriteQueue(stream, { highWatermarkBytes: 10 }, { drained: () => undefined });
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
    for (const line of lines) queue.push(Buffer.from(line));
    const ended = queue.end();
    expect(await text(stream)).toBe(lines.join(''));
    await ended;
    expect(stream.writableFinished).toBe(true);
  });

  it('waits for a slow peer', async () => {
    const { stream, queue, push } = setUp();
    push('last\n');
    let isOver = false;
    const ended = queue.end().then(() => (isOver = true));
    await nextTurn();
    expect([stream.text, isOver]).toEqual(['last\n', false]);
    await stream.takeAll();
    await ended;
  });

  it('comes when the stream is destroyed meanwhile: nobody will take the rest', async () => {
    const { stream, queue, push } = setUp();
    push('lost\n');
    const ended = queue.end();
    stream.destroy();
    await expect(ended).resolves.toBeUndefined();
  });

  it('comes when the last write fails', async () => {
    const { stream, queue, push } = setUp();
    stream.on('error', () => undefined);
    push('lost\n');
    const ended = queue.end();
    stream.fail(new Error('EPIPE'));
    await expect(ended).resolves.toBeUndefined();
  });

  it('comes at once when the stream has gone before, and as often as it is asked for', async () => {
    const { stream, queue } = setUp();
    await Promise.all([queue.end(), queue.end()]);
    await queue.end();
    stream.destroy();
    await expect(queue.end()).resolves.toBeUndefined();

    const gone = setUp();
    gone.stream.destroy();
    await expect(gone.queue.end()).resolves.toBeUndefined();
  });

  it('is the end: a later line is dropped, and is no error', async () => {
    const { stream, queue, push } = setUp();
    push('last\n');
    const ended = queue.end();
    push('too late\n');
    await stream.takeAll();
    await ended;
    push('far too late\n');
    await nextTurn();
    expect(stream.text).toBe('last\n');
    expect(queue.queuedBytes).toBe(0);
  });
});

describe('an queue whose stream is destroyed', () => {
  it('writes nothing more, not even what was given before in the same turn', async () => {
    const { stream, queue, drains, push } = setUp();
    push('before\n');
    stream.destroy();
    push('x'.repeat(2000));
    await nextTurn();
    push('after\n');
    await nextTurn();
    expect(stream.writes).toEqual([]);
    expect(queue.queuedBytes).toBe(0);
    expect(drains).toEqual([]);
  });

  it('counts nothing that is given to it any more', async () => {
    const { stream, queue, push } = setUp();
    stream.destroy();
    await nextTurn();
    push('x'.repeat(2000));
    expect([queue.saturated, queue.queuedBytes]).toEqual([false, 0]);
  });

  it('is never drained', async () => {
    const { stream, drains, push } = setUp();
    push('x'.repeat(2000));
    await nextTurn();
    stream.destroy();
    stream.take();
    await nextTurn();
    stream.emit('drain');
    expect(drains).toEqual([]);
  });

  it('leaves the error to whoever listens to the stream', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const failed = finished(stream);
    const queue = new WriteQueue(stream, { highWatermarkBytes: 1 }, { drained: () => undefined });
    queue.push(Buffer.from('x\n'));
    await expect(failed).rejects.toThrow('EPIPE');
    queue.push(Buffer.from('y\n'));
    await queue.end();
  });
});
