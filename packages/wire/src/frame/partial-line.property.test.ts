import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { chunkedBytes } from '@mcpmux/testing/chunked';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { PartialLine } from './partial-line.js';

/** A line of `length` bytes that is like no other. */
function lineOf(length: number, seed: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => 97 + ((index * 7 + seed) % 26)));
}

function added(partial: PartialLine, line: Buffer, sizes: readonly number[]): Buffer {
  for (const part of chunkedBytes(line, sizes)) partial.add(part);
  return taken(partial);
}

function taken(partial: PartialLine): Buffer {
  let line: Buffer = Buffer.alloc(0);
  partial.finishLine((bytes) => (line = bytes));
  return line;
}

describe('PartialLine', () => {
  it('gives back what was added, line after line, whatever the lengths and the parts', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 8 });
    const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lengths, sizes, (lengthsOfAll, partSizes) => {
        const partial = new PartialLine();
        const lines = lengthsOfAll.map((length, index) => lineOf(length, index));
        const all = lines.map((line) => added(partial, line, partSizes));
        // looked at when all is over: none is changed by those that came after it
        expect(all.map(String)).toEqual(lines.map(String));
      }),
      propertyRuns(250),
    );
  });

  it('has a length while it grows, and none after', () => {
    const partial = new PartialLine();
    partial.add(Buffer.from('ab'));
    partial.add(Buffer.from('cde'));
    expect([partial.length, Buffer.concat(partial.pieces()).toString()]).toEqual([5, 'abcde']);
    partial.clear();
    expect([partial.length, Buffer.concat(partial.pieces()).toString()]).toEqual([0, '']);
  });

  it('keeps no more alive for a short line than the line, although the one before was long', () => {
    const long = 4 * Buffer.poolSize;
    const partial = new PartialLine();
    added(partial, lineOf(long, 0), [1000]);
    const short = added(partial, lineOf(100, 1), [60]);
    // small buffers share a pool: of 8 KiB, or 64 since Node.js 24
    expect(short.buffer.byteLength).toBeLessThan(long);
  });

  it('copies the parts of a line as long as the one before only once', () => {
    const partial = new PartialLine();
    added(partial, lineOf(10_000, 0), [1000]);
    partial.add(lineOf(1000, 1));
    const [first] = partial.pieces();
    partial.add(lineOf(9000, 1));
    expect(taken(partial).buffer).toBe(first?.buffer);
  });
});
