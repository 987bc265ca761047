import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { takeJoined } from './joined-line.js';
import { lineSlots, lineSlotsFor } from './read-buffers.js';
import { runAtScopeEnd } from './read-scope.js';

const LONG = 20_000;
const long = (text: string): Buffer => Buffer.alloc(LONG, text);

function freeSlots(): number {
  return lineSlots()?.freeSlots.length ?? 0;
}

/** What is taken of these parts. */
function taken(...parts: readonly Buffer[]): Buffer {
  let line = Buffer.alloc(0);
  takeJoined(parts, (joined) => (line = Buffer.from(joined)));
  return line;
}

describe('takeJoined', () => {
  it('gives a line of one part as it is', () => {
    const part = Buffer.from('{}');
    takeJoined([part], (line) => expect(line).toBe(part));
  });

  it('leaves lines of one part to the scope that is there, so that they leave in one write', async () => {
    const done: string[] = [];
    for (const text of ['a', 'b'])
      takeJoined([Buffer.from(text)], () => {
        done.push(`${text} taken`);
        runAtScopeEnd(() => done.push(`${text} sent`));
      });
    expect(done).toEqual(['a taken', 'b taken']);
    await Promise.resolve();
    expect(done).toEqual(['a taken', 'b taken', 'a sent', 'b sent']);
  });

  it('gives the bytes of all parts, and leaves every slot free', () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 3 * LONG, size: 'max' }), { maxLength: 5 });
    fc.assert(
      fc.property(parts, (bytes) => {
        const buffers = bytes.map((part) => Buffer.from(part));
        expect(taken(...buffers).equals(Buffer.concat(buffers))).toBe(true);
      }),
      propertyRuns(20),
    );
    expect(freeSlots()).toBe(3);
  });

  it('keeps a long line in a slot until what is due behind it is done', () => {
    let seen = '';
    takeJoined([long('a'), long('b')], (line) => {
      expect(lineSlots()?.findSlot(line)).toBeDefined();
      runAtScopeEnd(() => (seen = `${line.toString('latin1', LONG - 1, LONG + 1)} ${freeSlots()}`));
    });
    expect([seen, freeSlots()]).toEqual(['ab 2', 3]);
  });

  it('leaves the slot also when the line is not taken', () => {
    const fail = (): never => {
      throw new Error('on purpose');
    };
    expect(() => takeJoined([long('a'), long('b')], fail)).toThrow('on purpose');
    expect(freeSlots()).toBe(3);
  });

  it('gives a line in memory of its own where no slot is free', () => {
    const others = [1, 2, 3].map(() => lineSlotsFor(LONG)?.beginLine(long('x'), LONG));
    takeJoined([long('a'), long('b')], (line) => {
      expect(lineSlots()?.findSlot(line)).toBeUndefined();
      expect(line.equals(Buffer.concat([long('a'), long('b')]))).toBe(true);
    });
    for (const line of others) line?.slot.release();
  });

  it('gives a line while another one is taken', () => {
    const texts: string[] = [];
    takeJoined([long('a'), long('b')], (outer) => {
      takeJoined([long('c'), long('d')], (inner) => texts.push(inner.toString('latin1', LONG - 1, LONG + 1)));
      texts.push(outer.toString('latin1', LONG - 1, LONG + 1));
    });
    expect([...texts, freeSlots()]).toEqual(['cd', 'ab', 3]);
  });
});
