import { describe, expect, it } from 'vitest';

import { LineRoom, type LineInRoom } from './line-room.js';

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

  it.each([
    ['is moved to the beginning when that is farther than twice its length', 'line', 12, 0],
    ['stays where it is when that is less far', 'the line', 12, 12],
    ['stays where it is when that is less far than the least that is read', 'l', 3, 3],
  ])('%s', (_, text, from, to) => {
    const { memory, room } = setUp();
    memory.write(text, from);
    const line = room.begin(memory.subarray(from, from + text.length), 8);
    expect(line?.makePlace()?.byteOffset).toBe(memory.byteOffset + to + text.length);
    expect([line?.start, line?.bytes.toString()]).toEqual([to, text]);
  });

  it('is not moved over what is held, and has no space then', () => {
    const { memory, room } = setUp();
    memory.write('held');
    memory.write('line', 26);
    expect(room.hold(memory.subarray(0, 4))).toBe(true);
    const line = room.begin(memory.subarray(26, 30), 8);
    expect([line?.makePlace(), line?.bytes.toString()]).toEqual([undefined, 'line']);
    expect(memory.toString('latin1', 0, 4)).toBe('held');
    room.release();
    expect(line?.makePlace()).toBeDefined();
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

  it('when it does not stand there and something is held', () => {
    const { memory, begun, room } = setUp();
    room.hold(memory.subarray(0, 1));
    expect(begun('12345678')).toBeUndefined();
    room.release();
    expect(begun('12345678')).toBeDefined();
  });

  it('that is longer, or as the last one was', () => {
    const { begun } = setUp();
    expect([begun('x'.repeat(33)), begun('12345678', 33)]).toEqual([undefined, undefined]);
  });
});

describe('a room', () => {
  it('holds only what stands in it', () => {
    const { memory, room } = setUp();
    expect(room.hold(Buffer.from('elsewhere'))).toBe(false);
    expect(room.isHeld).toBe(false);
    expect(room.hold(memory.subarray(3, 5))).toBe(true);
    expect(room.isHeld).toBe(true);
  });

  it('is not released more often than it is held', () => {
    const { room } = setUp();
    expect(() => room.release()).toThrow('nothing is held');
  });

  it('has nothing to spare while something is held, and else all before its line', () => {
    const { memory, room } = setUp();
    expect(room.spare).toHaveLength(32);
    room.begin(memory.subarray(5, 9), 8);
    expect(room.spare).toHaveLength(5);
    room.hold(memory.subarray(0, 2));
    expect(room.spare).toHaveLength(0);
  });
});
