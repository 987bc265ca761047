import { once } from 'node:events';
import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { nextTurn } from '@mcpmux/testing/next-turn';
import { openPipePair, openSocketPair, type SocketPair } from '@mcpmux/testing/socket-pair';
import { toOwned, lineSlotsFor, smallReadBuffer, largeReadBuffer } from './read-buffers.js';
import { readIntoSharedMemory } from './pipe-handle.js';
import { jsonSkipper } from '../json/json-skipper.js';

/** Everything that is read, in copies, and the memory it came in. */
class Reader {
  readonly memories = new Set<ArrayBufferLike>();
  private bytes = Buffer.alloc(0);
  /** Where the next piece is to be read to. */
  place: Buffer | undefined;
  private waiting: (() => void) | undefined;

  readonly take = (piece: Buffer): Buffer | undefined => {
    this.memories.add(piece.buffer);
    this.bytes = Buffer.concat([this.bytes, piece]);
    this.waiting?.();
    return this.place;
  };

  get text(): string {
    return this.bytes.toString();
  }

  async untilText(text: string): Promise<void> {
    while (this.text !== text) await new Promise<void>((resolve) => (this.waiting = resolve));
  }
}

function readerOf({ clientEnd }: SocketPair): Reader {
  const reader = new Reader();
  readIntoSharedMemory(clientEnd, reader.take);
  return reader;
}

describe('reading a pipe into the shared buffer', () => {
  it('works with this Node.js', async () => {
    await using pair = await openPipePair();
    expect(readIntoSharedMemory(pair.clientEnd, () => undefined)).toBe(true);
  });

  it('gives what is read, all of it in the same memory, and no data of the stream', async () => {
    await using pair = await openPipePair();
    await using other = await openPipePair();
    const reader = readerOf(pair);
    readIntoSharedMemory(other.clientEnd, reader.take);
    pair.clientEnd.on('data', () => expect.unreachable());
    pair.serverEnd.write('one ');
    await reader.untilText('one ');
    other.serverEnd.write('two');
    await reader.untilText('one two');
    expect(reader.memories.size).toBe(1);
  });

  it('goes on in larger memory once the small one was filled, and nothing is lost on the way', async () => {
    await using pair = await openPipePair();
    const reader = readerOf(pair);
    const text = Array.from({ length: 60_000 }, (_, index) => String(index)).join(' ');
    pair.serverEnd.write(text);
    await reader.untilText(text);
    expect([...reader.memories]).toEqual([smallReadBuffer().buffer, largeReadBuffer().buffer]);
    pair.serverEnd.write('!');
    await reader.untilText(`${text}!`);
    expect(reader.memories.size).toBe(2);
  });

  it('goes on where the next piece is to be read to, for as long as that is said', async () => {
    await using pair = await openPipePair();
    const reader = readerOf(pair);
    const place = Buffer.alloc(10);
    reader.place = place;
    for (const text of ['one', 'two']) {
      pair.serverEnd.write(text);
      await reader.untilText(text === 'one' ? 'one' : 'onetwo');
    }
    reader.place = undefined;
    pair.serverEnd.write('three');
    await reader.untilText('onetwothree');
    pair.serverEnd.write('four');
    await reader.untilText('onetwothreefour');
    expect([...reader.memories]).toEqual([smallReadBuffer().buffer, place.buffer]);
    expect(smallReadBuffer().subarray(0, 4).toString()).toBe('####');
    expect(place.toString()).not.toContain('four');
  });

  it('leaves what the stream has read before to its data, which comes first', async () => {
    await using pair = await openPipePair();
    const readable = once(pair.clientEnd, 'readable');
    pair.serverEnd.write('early ');
    await readable;
    const reader = new Reader();
    pair.clientEnd.unshift(Buffer.from('very '));
    pair.clientEnd.on('data', reader.take);
    readIntoSharedMemory(pair.clientEnd, reader.take);
    pair.serverEnd.write('late');
    await reader.untilText('very early late');
    expect(reader.text).toBe('very early late');
  });

  it('stands still while the stream is paused', async () => {
    await using pair = await openPipePair();
    const reader = readerOf(pair);
    pair.clientEnd.pause();
    pair.serverEnd.write('waits');
    await nextTurn();
    await nextTurn();
    expect(reader.text).toBe('');
    pair.clientEnd.resume();
    await reader.untilText('waits');
  });

  it('does not begin when the stream was paused before', async () => {
    await using pair = await openPipePair();
    const reader = new Reader();
    pair.clientEnd.pause();
    readIntoSharedMemory(pair.clientEnd, reader.take);
    pair.serverEnd.write('waits');
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
    expect(reader.text).toBe('');
    pair.clientEnd.resume();
    await reader.untilText('waits');
  });

  it('leaves the end of the stream and its close as they are', async () => {
    await using pair = await openPipePair();
    const reader = readerOf(pair);
    const ended = once(pair.clientEnd, 'end');
    pair.serverEnd.end('last');
    await ended;
    expect(reader.text).toBe('last');
    const closed = once(pair.clientEnd, 'close');
    pair.clientEnd.destroy();
    await closed;
  });

  it.each([
    ['of TCP', async () => await openSocketPair()],
    [
      'in memory',
      () => Promise.resolve({ clientEnd: new PassThrough(), [Symbol.asyncDispose]: () => Promise.resolve() }),
    ],
  ])('leaves a stream %s alone', async (_, open) => {
    await using pair = await open();
    expect(readIntoSharedMemory(pair.clientEnd, () => undefined)).toBe(false);
    expect(pair.clientEnd.readableFlowing).toBe(null);
  });

  it('goes on in memory in which JSON is checked without a copy', () => {
    expect(largeReadBuffer()).toBe(jsonSkipper()?.readBuffer);
  });

  it('is copied when it becomes owned, and bytes with memory of their own are not', () => {
    const own = Buffer.from('own');
    const large = Buffer.alloc(1024 * 1024);
    expect(toOwned(large.subarray(0, 600_000)).buffer).toBe(large.buffer);
    expect(toOwned(large.subarray(0, 1000)).buffer).not.toBe(large.buffer);
    const slots = jsonSkipper()?.lineSlots ?? own;
    expect(lineSlotsFor(slots.length)?.findSlot(slots)).toBeDefined();
    for (const memory of [smallReadBuffer(), largeReadBuffer(), slots]) {
      memory.write('read');
      const copy = toOwned(memory.subarray(0, 4));
      memory.fill('#');
      expect(copy.toString()).toBe('read');
      expect(toOwned(own)).toBe(own);
    }
  });

  it('leaves a stream alone when Node.js keeps the buffer elsewhere', async () => {
    await using pair = await openPipePair();
    const stranger = Object.create(pair.clientEnd) as typeof pair.clientEnd;
    expect(readIntoSharedMemory(stranger, () => undefined)).toBe(false);
    expect(pair.clientEnd.readableFlowing).toBe(null);
  });
});
