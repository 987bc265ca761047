import { describe, expect, it } from 'vitest';

import { LineSlots, type SlotLine } from './line-slots.js';

const SIZES = { count: 2, read: 16, leastRead: 4 };
const SLOT_BYTES = 32;

function setUp() {
  const memory = Buffer.alloc(SIZES.count * SLOT_BYTES, '.');
  const slots = new LineSlots(memory, SIZES);
  const begun = (part: Buffer | string, expectedLength = 8): SlotLine | undefined =>
    slots.beginLine(Buffer.from(part), expectedLength);
  return { memory, slots, begun };
}

/** Puts `text` to the place that the line asks for, as a read does, and adds it. */
function read(line: SlotLine | undefined, text: string): void {
  const place = line?.nextReadBuffer();
  place?.write(text);
  expect(place && line?.add(place.subarray(0, text.length))).toBe(true);
}

describe('a line in a slot', () => {
  it('comes together where its parts are read to', () => {
    const { memory, begun } = setUp();
    const line = begun('one ');
    read(line, 'two ');
    read(line, 'three');
    expect(line?.bytes.toString()).toBe('one two three');
    expect(memory.toString('latin1', 0, 16)).toBe('one two three...');
  });

  it('is read into in steps', () => {
    expect(setUp().begun('x')?.nextReadBuffer()).toHaveLength(SIZES.read);
  });

  it('is not read into when little space is left', () => {
    const { begun } = setUp();
    expect([
      begun('x'.repeat(28))?.nextReadBuffer()?.length,
      begun('x'.repeat(29))?.nextReadBuffer(),
    ]).toEqual([4, undefined]);
  });

  it('takes a part that was read elsewhere', () => {
    const line = setUp().begun('one ');
    expect(line?.add(Buffer.from('two'))).toBe(true);
    expect(line?.bytes.toString()).toBe('one two');
  });

  it('does not take more than there is space for', () => {
    const line = setUp().begun('x'.repeat(30));
    expect([line?.add(Buffer.from('123')), line?.add(Buffer.from('12'))]).toEqual([false, true]);
  });

  it('may begin with bytes of another slot', () => {
    const { begun, slots } = setUp();
    const first = begun('one\ntw');
    const second = slots.beginLine(first?.bytes.subarray(4) ?? Buffer.alloc(0), 8);
    read(second, 'o');
    expect([first?.bytes.toString(), second?.bytes.toString()]).toEqual(['one\ntw', 'two']);
  });
});

describe('no line begins', () => {
  it('when every slot is retained', () => {
    const { begun } = setUp();
    const first = begun('12345678');
    expect([begun('x')?.bytes.length, begun('y')]).toEqual([1, undefined]);
    first?.slot.release();
    expect(begun('y')?.slot).toBe(first?.slot);
  });

  it('that is longer than a slot, or will be', () => {
    const { begun } = setUp();
    expect([begun('x'.repeat(33)), begun('12345678', 33)]).toEqual([undefined, undefined]);
  });
});

describe('a slot', () => {
  it('is free when everybody has released it', () => {
    const { begun, slots } = setUp();
    const line = begun('line');
    line?.slot.retain();
    line?.slot.release();
    expect(slots.freeSlots).toHaveLength(1);
    line?.slot.release();
    expect(slots.freeSlots).toHaveLength(2);
  });

  it('is not released more often than it was retained', () => {
    const line = setUp().begun('line');
    line?.slot.release();
    expect(() => line?.slot.release()).toThrow('not retained');
  });

  it('is found by bytes that stand in it, and by no others', () => {
    const { memory, slots } = setUp();
    const [first, second] = slots.freeSlots;
    expect([0, 31, 32, 63].map((at) => slots.findSlot(memory.subarray(at, at + 1)))).toEqual([
      first,
      first,
      second,
      second,
    ]);
    expect(slots.findSlot(Buffer.from('elsewhere'))).toBeUndefined();
    expect(slots.findSlot(Buffer.from(memory.buffer, memory.byteOffset + memory.length, 0))).toBeUndefined();
  });
});
