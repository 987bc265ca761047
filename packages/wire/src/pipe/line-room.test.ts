import { describe, expect, it } from 'vitest';

import { LineRoom, type LineInRoom } from './line-room.js';
import type { Span } from '../json/span.js';

const SIZES = { read: 16, leastRead: 4 };

function setUp() {
  const memory = Buffer.alloc(32, '.');
  const room = new LineRoom(memory, SIZES);
  const begun = (part: Buffer | string, expectedLength = 8): LineInRoom | undefined =>
    room.begin(Buffer.from(part), expectedLength);
  return { memory, room, begun };
}

/** Puts `text` where the line wants it, as a read does, and adds it. */
function read(line: LineInRoom | undefined, text: string): void {
  const place = line?.makePlace();
  place?.write(text);
  expect(place && line?.add(place.subarray(0, text.length))).toBe(true);
}

describe('a line in a room', () => {
  it('comes together where its parts are read to', () => {
    const { memory, begun } = setUp();
    const line = begun('one ');
    read(line, 'two ');
    read(line, 'three');
    expect(line?.bytes.toString()).toBe('one two three');
    expect(line?.bytes.buffer).toBe(memory.buffer);
  });

  it('is read into in steps', () => {
    const { begun } = setUp();
    expect(begun('x')?.makePlace()).toHaveLength(SIZES.read);
  });

  it('takes what was read elsewhere', () => {
    const { begun } = setUp();
    const line = begun('one ');
    expect(line?.add(Buffer.from('two'))).toBe(true);
    expect(line?.bytes.toString()).toBe('one two');
  });

  it('begins where it stands', () => {
    const { memory, room } = setUp();
    const part = memory.subarray(5, 9);
    part.write('here');
    const line = room.begin(part, 8);
    expect([line?.start, line?.bytes.toString()]).toEqual([5, 'here']);
  });

  it('is moved to the beginning when there is no space behind it', () => {
    const { memory, room } = setUp();
    memory.write('a line so long', 16);
    const line = room.begin(memory.subarray(16, 30), 16);
    expect(line?.makePlace()?.byteOffset).toBe(memory.byteOffset + 14);
    expect([line?.start, line?.bytes.toString()]).toEqual([0, 'a line so long']);
  });

  it('is moved when there is less space behind it than its rest will need', () => {
    const { memory, room } = setUp();
    memory.write('some of it', 12);
    const line = room.begin(memory.subarray(12, 22), 21);
    expect(line?.makePlace()?.byteOffset).toBe(memory.byteOffset + 10);
    expect(line?.bytes.toString()).toBe('some of it');
  });

  it.each([
    [
      'is moved to the beginning when that is farther than twice its length',
      'line',
      { from: 12, expected: 8, to: 0 },
    ],
    ['stays where it is when that is less far', 'the line', { from: 12, expected: 8, to: 12 }],
    [
      'stays where it is when that is less far than the least that is read',
      'l',
      { from: 3, expected: 8, to: 3 },
    ],
    [
      'stays where it is when it will be longer than what is read at once',
      'line',
      { from: 12, expected: 17, to: 12 },
    ],
  ])('%s', (_, text, { from, expected, to }) => {
    const { memory, room } = setUp();
    memory.write(text, from);
    const line = room.begin(memory.subarray(from, from + text.length), expected);
    expect(line?.makePlace()?.byteOffset).toBe(memory.byteOffset + to + text.length);
    expect([line?.start, line?.bytes.toString()]).toEqual([to, text]);
  });

  it('is not moved over what is held, and has no space then', () => {
    const { memory, room } = setUp();
    memory.write('held', 8);
    memory.write('line', 26);
    const hold = room.hold(memory.subarray(8, 20)) as Span;
    const line = room.begin(memory.subarray(26, 30), 14);
    expect([line?.makePlace(), line?.bytes.toString()]).toEqual([undefined, 'line']);
    expect(memory.toString('latin1', 8, 12)).toBe('held');
    room.release(hold);
    expect(line?.makePlace()).toBeDefined();
  });

  it('is moved to the first place between what is held, and is read into up to its end', () => {
    const { memory, room } = setUp();
    memory.write('line', 28);
    room.hold(memory.subarray(0, 6));
    room.hold(memory.subarray(4, 8));
    room.hold(memory.subarray(20, 24));
    const line = room.begin(memory.subarray(28, 32), 8);
    const place = line?.makePlace();
    expect([line?.start, line?.bytes.toString(), place?.length]).toEqual([8, 'line', 8]);
    expect([line?.add(Buffer.from('123456789')), line?.add(Buffer.from('12345678'))]).toEqual([false, true]);
  });

  it('does not take more than there is space for', () => {
    const { begun } = setUp();
    const line = begun('x'.repeat(30));
    expect([line?.add(Buffer.from('123')), line?.add(Buffer.from('12'))]).toEqual([false, true]);
  });
});

describe('no line begins in a room', () => {
  it('when another one is there', () => {
    const { begun, room } = setUp();
    begun('12345678');
    expect(begun('12345678')).toBeUndefined();
    room.leave();
    expect(begun('12345678')).toBeDefined();
  });

  it('when it does not stand there and what is held leaves no place for it', () => {
    const { memory, begun, room } = setUp();
    const hold = room.hold(memory.subarray(7, 25)) as Span;
    expect(begun('1234567', 8)).toBeUndefined();
    room.release(hold);
    expect(begun('1234567', 8)).toBeDefined();
  });

  it('that is longer, or will be', () => {
    const { memory, room, begun } = setUp();
    expect([begun('x'.repeat(33)), begun('12345678', 33)]).toEqual([undefined, undefined]);
    expect(room.begin(memory.subarray(0, 8), 33)).toBeUndefined();
  });
});

describe('a room', () => {
  it('gives a line the first place that nothing is held in', () => {
    const { memory, begun, room } = setUp();
    for (const [start, end] of [
      [24, 26],
      [0, 5],
      [12, 14],
      [1, 3],
    ]) {
      room.hold(memory.subarray(start, end));
    }
    const starts = [6, 7, 8, 10, 11].map((length) => {
      const line = begun('x', length);
      room.leave();
      return line?.start;
    });
    expect(starts).toEqual([5, 5, 14, 14, undefined]);
    expect([2, 5, 11, 12, 26, 32].map((at) => room.spaceAt(at))).toEqual([0, 7, 1, 0, 6, 0]);
  });

  it('gives a line the place behind all that is held when that is just enough', () => {
    const { memory, begun, room } = setUp();
    room.hold(memory.subarray(0, 24));
    expect(begun('x', 8)?.start).toBe(24);
  });

  it('holds only what stands in it', () => {
    const { memory, room } = setUp();
    expect(room.hold(Buffer.from('elsewhere'))).toBeUndefined();
    expect(room.isHeld).toBe(false);
    expect(room.hold(memory.subarray(3, 5))).toEqual({ start: 3, end: 5 });
    expect(room.isHeld).toBe(true);
  });

  it('releases nothing twice', () => {
    const { memory, room } = setUp();
    const hold = room.hold(memory.subarray(3, 5)) as Span;
    room.hold(memory.subarray(3, 5));
    room.release(hold);
    expect(() => room.release(hold)).toThrow('not held');
    expect(room.isHeld).toBe(true);
  });

  it('has to spare what is not held and no part of its line', () => {
    const { memory, room } = setUp();
    const spare = (): readonly (readonly number[])[] =>
      room.spare.map(({ byteOffset, length }) => [byteOffset - memory.byteOffset, length]);
    expect(spare()).toEqual([[0, 32]]);
    room.begin(memory.subarray(5, 9), 8);
    room.hold(memory.subarray(7, 10));
    room.hold(memory.subarray(20, 30));
    room.hold(memory.subarray(22, 24));
    expect(spare()).toEqual([
      [0, 5],
      [10, 10],
      [30, 2],
    ]);
  });
});
