import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { inOnePiece, splice, SplicedLine, splicedLine } from './splice.js';
import type { Span } from '../json/span.js';

interface ByteEdit {
  readonly span: Span;
  readonly bytes: Buffer;
}

function edit(start: number, end: number, text: string): ByteEdit {
  return { span: { start, end }, bytes: Buffer.from(text) };
}

/** Makes any line so long that it is sent in pieces. */
const PADDING = Buffer.alloc(5000, 'p');

/** As a text with a character for each byte: `toEqual` takes 20 ms for 5 KB of bytes. */
const bytesOf = (bytes: Buffer): string => bytes.toString('latin1');

/** The same in the slow and obvious way. */
function expected(line: Buffer, edits: readonly ByteEdit[]): string {
  let out = line.toString('latin1');
  for (const { span, bytes } of edits.toSorted((a, b) => b.span.start - a.span.start)) {
    out = out.slice(0, span.start) + bytes.toString('latin1') + out.slice(span.end);
  }
  return `${out}\n`;
}

/** A line of any bytes, and edits that do not overlap, in any order. */
const lineAndEdits = fc
  .tuple(
    fc.uint8Array({ maxLength: 300, size: 'max' }),
    fc.array(fc.uint8Array({ maxLength: 150, size: 'max' }), { maxLength: 5 }),
  )
  .chain(([line, texts]) =>
    fc.tuple(
      fc.constant(Buffer.from(line)),
      fc.uniqueArray(fc.nat(line.length), { minLength: 0, maxLength: texts.length * 2 }).map((offsets) => {
        const ordered = offsets.toSorted((a, b) => a - b);
        return texts.slice(0, ordered.length / 2).map((text, index) => ({
          span: { start: ordered[index * 2] ?? 0, end: ordered[index * 2 + 1] ?? 0 },
          bytes: Buffer.from(text),
        }));
      }),
    ),
  )
  .chain(([line, edits]) =>
    fc.tuple(
      fc.constant(line),
      fc.shuffledSubarray(edits, { minLength: edits.length, maxLength: edits.length }),
    ),
  );

describe('splice', () => {
  it('replaces what stands at a span, and ends the line', () => {
    const line = Buffer.from('{"id":1,"x":2}');
    expect(splice(line, [edit(6, 7, '"long"')]).toString()).toBe('{"id":"long","x":2}\n');
    expect(splice(line, [edit(12, 13, '')]).toString()).toBe('{"id":1,"x":}\n');
  });

  it('takes several edits in any order, side by side too', () => {
    const line = Buffer.from('abcdef');
    expect(splice(line, [edit(4, 6, 'Z'), edit(0, 1, 'XX'), edit(1, 3, '')]).toString()).toBe('XXdZ\n');
  });

  it('inserts at an empty span', () => {
    expect(splice(Buffer.from('ab'), [edit(1, 1, '-'), edit(2, 2, '+'), edit(0, 0, '*')]).toString()).toBe(
      '*a-b+\n',
    );
  });

  it('gives a line without edits as it is', () => {
    expect(splice(Buffer.from('{}'), []).toString()).toBe('{}\n');
    expect(splice(Buffer.alloc(0), []).toString()).toBe('\n');
  });

  it('leaves the original line and the edits alone: both may be used again', () => {
    const line = Buffer.from('{"id":1}');
    const edits = [edit(6, 7, '22'), edit(0, 0, ' ')];
    const out = splice(line, edits);
    out.fill(0);
    expect(line.toString()).toBe('{"id":1}');
    expect(edits.map(({ bytes }) => bytes.toString())).toEqual(['22', ' ']);
  });

  it('B26: keeps every other byte: numbers, escapes, key order, keys that stand twice, invalid UTF-8', () => {
    const before = Buffer.from('{"b":12345678901234567890,"a":1.0,"a":-0,"e":1E+2,"u":"\\u00e9 é","id":');
    const after = Buffer.concat([
      Buffer.from(',"x":"'),
      Buffer.of(0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80),
      Buffer.from('" }'),
    ]);
    const line = Buffer.concat([before, Buffer.from('7'), after]);
    const out = splice(line, [edit(before.length, before.length + 1, '"mine"')]);
    expect(out).toEqual(Buffer.concat([before, Buffer.from('"mine"'), after, Buffer.from('\n')]));
  });

  it('takes a text for the bytes of its UTF-8', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 100 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const line = Buffer.from('[1,2]');
        const [first, second] = [
          { start: 1, end: 2 },
          { start: 3, end: 4 },
        ];
        const edits = [
          { span: second, bytes: other },
          { span: first, bytes: one },
        ];
        expect(splice(line, edits).toString()).toBe(`[${one},${other}]\n`);
      }),
    );
  });

  it('takes a number for its digits, from zero up to the largest safe integer', () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(2000), fc.maxSafeNat(), fc.constantFrom(0, 9, 10, 1e15)), (value) => {
        const line = Buffer.from('{"id":"old"}');
        const edits = [{ span: { start: 6, end: 11 }, bytes: value }];
        expect(splice(line, edits).toString()).toBe(`{"id":${value}}\n`);
        expect(inOnePiece(splicedLine(Buffer.alloc(10_000, 'x'), edits)).toString()).toContain(`x${value}x`);
      }),
    );
  });

  it('equals the replacement of text, whatever the bytes', () => {
    fc.assert(
      fc.property(lineAndEdits, ([line, edits]) => {
        expect(bytesOf(splice(line, edits))).toBe(expected(line, edits));
        const long = Buffer.concat([line, PADDING]);
        expect(bytesOf(splice(long, edits))).toBe(expected(long, edits));
        expect(bytesOf(inOnePiece(splicedLine(long, edits)))).toBe(expected(long, edits));
      }),
      propertyRuns(100),
    );
  });

  it('is the same in pieces when the line is long, of which none is a copy', () => {
    const line = Buffer.alloc(64 * 1024, 'x');
    const edits = [edit(100, 103, 'long'), edit(0, 2, 'a'), edit(60_000, 60_000, ''), edit(70, 71, '')];
    const pieces = splicedLine(line, edits);
    expect(bytesOf(inOnePiece(pieces))).toBe(expected(line, edits));
    expect(Array.isArray(pieces) && pieces.filter((piece: Buffer) => piece.length > 10)).toSatisfy(
      (long: Buffer[]) => long.every((piece) => piece.buffer === line.buffer),
    );
    expect(bytesOf(inOnePiece(splicedLine(line, [])))).toBe(expected(line, []));
  });

  it('is put together later when the line is short, anywhere in a memory', () => {
    const line = Buffer.from('{"id":1}');
    const edits = [edit(6, 7, '22')];
    expect(splicedLine(line, edits)).toBeInstanceOf(SplicedLine);
    const spliced = new SplicedLine(line, edits);
    const memory = Buffer.alloc(20, '.');
    expect([spliced.length, spliced.writeTo(memory, 3)]).toEqual([10, 13]);
    expect(memory.toString()).toBe('...{"id":22}\n.......');
  });
});
