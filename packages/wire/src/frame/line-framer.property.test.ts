import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { chunkedBytes } from '@mcpmux/testing/chunked';
import { measureHeldBufferBytes } from '@mcpmux/testing/held-memory';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { LineFramer, OVERSIZED_EXCERPT_BYTES, type LineSink } from './line-framer.js';

const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const KIB = 1024;

type Found =
  | { readonly line: string }
  | { readonly oversized: number; readonly head: string; readonly tail: string };

/** Latin-1, so that every byte is one character. */
function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

class Sink implements LineSink {
  readonly found: Found[] = [];

  line(line: Buffer): void {
    this.found.push({ line: text(line) });
  }

  oversized({ length, head, tail }: { length: number; head: Buffer; tail: Buffer }): void {
    this.found.push({ oversized: length, head: text(head), tail: text(tail) });
  }
}

function framed(chunks: Iterable<Buffer>, limit = NO_LIMIT, borrowsLines = false): Found[] {
  const sink = new Sink();
  const framer = new LineFramer(sink, limit, { borrowsLines });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return sink.found;
}

function lines(...chunks: (string | Buffer)[]): string[] {
  return framed(chunks.map((chunk) => Buffer.from(chunk))).map((found) =>
    'line' in found ? found.line : 'oversized',
  );
}

/** What a stream holds, said in the slow and obvious way. */
function expected(stream: Buffer, limit = NO_LIMIT): Found[] {
  const parts = text(stream).split('\n');
  if (parts.at(-1) === '') parts.pop();
  const mark = /^\xEF\xBB\xBF/;
  return parts.flatMap((part): Found[] => {
    if (part.length > limit) {
      const [head, tail] = [part.slice(0, OVERSIZED_EXCERPT_BYTES), part.slice(-OVERSIZED_EXCERPT_BYTES)];
      return [{ oversized: part.length, head: head.replace(mark, ''), tail }];
    }
    const line = part.replace(mark, '').replace(/\r$/, '');
    return /^[ \t\r]*$/.test(line) ? [] : [{ line }];
  });
}

describe('LineFramer', () => {
  it('gives each line of a stream, however many come at once', () => {
    expect(lines('{"a":1}\n{"b":2}\n{"c":3}\n')).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
    expect(lines('{"a"', ':1', '}\n{"b":2}', '\n')).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('B4: takes lines that end in CRLF, also when the two come apart', () => {
    expect(lines('{}\r\n[]\r\n')).toEqual(['{}', '[]']);
    expect(lines('{}\r', '\n[]', '\r', '\n')).toEqual(['{}', '[]']);
    expect(lines('a\rb\r\r\n')).toEqual(['a\rb\r']);
  });

  it('B4: passes over lines that are blank', () => {
    expect(lines('\n\r\n \n\t\n \t \r\n\r\r\n{}\n\n')).toEqual(['{}']);
  });

  it('keeps the white space of a line that is not blank', () => {
    expect(lines(' {} \t\n')).toEqual([' {} \t']);
  });

  it('B3: takes a byte order mark off the first line and any other, and only from the front', () => {
    const mark = '\uFEFF';
    const inLatin1 = text(Buffer.from(mark));
    expect(lines(`${mark}{}\n${mark}[]\r\n`)).toEqual(['{}', '[]']);
    expect(lines(`${mark}${mark}1\n1${mark}\n`)).toEqual([`${inLatin1}1`, `1${inLatin1}`]);
    expect(lines(`${mark}\n${mark}\r\n${mark} \n`)).toEqual([]);
    expect(lines(Buffer.of(0xef, 0xbb, 0x31, 0x0a))).toEqual(['\xEF\xBB1']);
    expect(lines(Buffer.of(0xef), Buffer.of(0xbb), Buffer.of(0xbf, 0x31, 0x0a))).toEqual(['1']);
  });

  it('B10: breaks at newlines only', () => {
    const line = '1\u2028\u2029\u0085\v\f\0\x1C\x1D\x1E2';
    expect(lines(`${line}\n3\n`)).toEqual([text(Buffer.from(line)), '3']);
  });

  it('B29: takes what came after the last newline for a line', () => {
    expect(lines('{}\n{"a":1}')).toEqual(['{}', '{"a":1}']);
    expect(lines('{"jsonrpc"')).toEqual(['{"jsonrpc"']);
    expect(lines('{}\r')).toEqual(['{}']);
    expect(lines(' ')).toEqual([]);
    expect(lines('')).toEqual([]);
  });

  it('gives nothing twice when a stream ends twice', () => {
    const sink = new Sink();
    const framer = new LineFramer(sink, NO_LIMIT);
    framer.push(Buffer.from('{}\n[]'));
    framer.end();
    framer.end();
    expect(sink.found).toEqual([{ line: '{}' }, { line: '[]' }]);
  });

  it('gives buffers that may be kept: the memory of a chunk may be read into again', () => {
    const kept: Buffer[] = [];
    const framer = new LineFramer({ line: (line) => kept.push(line), oversized: () => undefined }, NO_LIMIT);
    for (const chunk of chunkedBytes(Buffer.from('first\nsecond\nthird\n'), [4])) framer.push(chunk);
    expect(kept.map((line) => line.toString())).toEqual(['first', 'second', 'third']);
  });

  it('lends lines that have come in one chunk, when it may: the others are in memory of their own', () => {
    const found: Buffer[] = [];
    const sink = { line: (line: Buffer) => found.push(line), oversized: () => undefined };
    const framer = new LineFramer(sink, NO_LIMIT, { borrowsLines: true });
    const chunks = ['whole\nin tw', 'o\nthe last\n'].map((chunk) => Buffer.from(chunk));
    for (const chunk of chunks) framer.push(chunk);
    for (const chunk of chunks) chunk.fill('#');
    expect(found.map((line) => line.toString())).toEqual(['#####', 'in two', '########']);
  });

  it('gives the same lines for every chunking, whatever the bytes', () => {
    const piece = fc.oneof(
      { weight: 3, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => text(bytes)) },
      fc.constantFrom('\n', '\r\n', '\n\n', '\r', '\xEF\xBB\xBF', ' ', '{"a":1}', '\xE2\x80\xA8'),
    );
    const stream = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'));
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
    const limit = fc.constantFrom(NO_LIMIT, 0, 1, 5, 12);
    fc.assert(
      fc.property(stream, sizes, limit, fc.boolean(), (bytes, chunkSizes, maxBytes, lends) => {
        expect(framed(chunkedBytes(bytes, chunkSizes), maxBytes, lends)).toEqual(expected(bytes, maxBytes));
      }),
      propertyRuns(250),
    );
  });

  it('gives the same lines for every chunking of long lines, up to 64 KiB at a time', () => {
    const lengths = fc.array(fc.constantFrom(0, 1, 1023, 1024, 1025, 4096, 65_535, 65_536, 65_537, 200_000), {
      minLength: 1,
      maxLength: 6,
    });
    const sizes = fc.array(fc.constantFrom(100, 1023, 1024, 1025, 16_384, 65_535, 65_536), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(
        lengths,
        sizes,
        fc.constantFrom(NO_LIMIT, 4096, 65_536),
        (lineLengths, chunkSizes, limit) => {
          const all = lineLengths.map((length, index) =>
            `${index}abcdefg`.repeat(length / 8 + 1).slice(0, length),
          );
          const stream = Buffer.from(all.join('\n'));
          expect(framed(chunkedBytes(stream, chunkSizes), limit)).toEqual(expected(stream, limit));
        },
      ),
      propertyRuns(25),
    );
  });
});

describe('a line above the limit', () => {
  const LIMIT = 4 * KIB;
  const long = Array.from({ length: 2 * LIMIT }, (_, index) => String.fromCharCode(33 + (index % 90))).join(
    '',
  );

  it('B6: is reported with its length and both its ends, and the next line is intact', () => {
    for (const size of [1, 1000, LIMIT, LIMIT + 1, 64 * KIB]) {
      const chunks = chunkedBytes(Buffer.from(`{"before":1}\n${long}\n{"after":1}\n`), [size]);
      expect(framed(chunks, LIMIT)).toEqual([
        { line: '{"before":1}' },
        { oversized: long.length, head: long.slice(0, KIB), tail: long.slice(-KIB) },
        { line: '{"after":1}' },
      ]);
    }
  });

  it('begins one byte above it', () => {
    const exact = 'x'.repeat(LIMIT);
    expect(framed([Buffer.from(`${exact}\n`)], LIMIT)).toEqual([{ line: exact }]);
    expect(framed([Buffer.from(`${exact}y\n`)], LIMIT)).toEqual([
      { oversized: LIMIT + 1, head: 'x'.repeat(KIB), tail: `${'x'.repeat(KIB - 1)}y` },
    ]);
  });

  it('is reported without its byte order mark, like any other', () => {
    expect(framed(chunkedBytes(Buffer.from(`\uFEFF${long}\n`), [1000]), LIMIT)).toEqual([
      { oversized: long.length + 3, head: long.slice(0, KIB - 3), tail: long.slice(-KIB) },
    ]);
  });

  it('is reported when the stream ends in it', () => {
    expect(framed([Buffer.from(long)], LIMIT)).toMatchObject([{ oversized: long.length }]);
  });

  it('may follow another, and is reported for itself', () => {
    const found = framed(chunkedBytes(Buffer.from(`${long}\nz${long}\n`), [700]), LIMIT);
    expect(found).toEqual([
      { oversized: long.length, head: long.slice(0, KIB), tail: long.slice(-KIB) },
      { oversized: long.length + 1, head: `z${long}`.slice(0, KIB), tail: long.slice(-KIB) },
    ]);
  });

  it('B7: is discarded as it comes: no more is held than the limit and a chunk', () => {
    const limit = 1024 * KIB;
    const chunkBytes = 64 * KIB;
    const sink = new Sink();
    const framer = new LineFramer(sink, limit);
    const before = measureHeldBufferBytes();
    const held: number[] = [];
    for (let pushed = 0; pushed < 64 * limit; pushed += chunkBytes) {
      framer.push(Buffer.alloc(chunkBytes, 'x'));
      if (pushed % (4 * limit) === 0 || pushed === limit - chunkBytes)
        held.push(measureHeldBufferBytes() - before);
    }
    expect(Math.max(...held)).toBeGreaterThan(limit / 2);
    expect(Math.max(...held)).toBeLessThanOrEqual(limit + chunkBytes);
    expect(held.at(-1)).toBeLessThan(2 * chunkBytes);
    framer.end();
    expect(sink.found).toMatchObject([{ oversized: 64 * limit }]);
  });
});
