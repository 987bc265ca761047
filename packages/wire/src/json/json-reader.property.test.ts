import { isUtf8 } from 'node:buffer';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { accepts, acceptsWalking } from '../testing/accepts-json.js';
import {
  jsonNumber,
  jsonObject,
  jsonString,
  jsonValue,
  withSpaceAround,
} from '@mcpmux/testing/arbitrary-json';
import { mutatedBytes } from '@mcpmux/testing/byte-mutation';
import { sliceAmid } from '@mcpmux/testing/slice-amid';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';

/** White space before a text: strings are read in another way in long lines. */
const lineStart = fc.constantFrom(Buffer.alloc(0), Buffer.alloc(2000, ' '));

/** What both ways say of a text. */
function verdicts(text: string): boolean[] {
  return [accepts(Buffer.from(text)), acceptsWalking(Buffer.from(text))];
}

function parses(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function textAt(bytes: Buffer, start: number, end: number): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}

describe('JsonReader', () => {
  it.each([
    ['0', '-0', '1.0', '-1.5e-7', '1e400', '1E+400', '0e0', '123456789012345678901234567890'],
    ['true', 'false', 'null', ' \t\r\n1 \t\r\n'],
    ['""', '"\u2028\u2029\u0085"', '"\\u0000"', '"\\ud800"', '"\x7F"'],
    ['[]', '[ ]', '{}', '{ }', '[[],{}]', '{"a":{"a":[]}}', '{"a":1,"a":2}', '{"":0}', '{"__proto__":1}'],
  ])('accepts %s and its like', (...texts) => {
    for (const text of texts) expect([text, ...verdicts(text)]).toEqual([text, true, true]);
  });

  it.each([
    ['', ' ', '\uFEFF1', '\u00A01', '1\f', '\v1', 'undefined', 'NaN', 'Infinity', '//1', '/**/1', "'a'"],
    [
      '01',
      '-',
      '-01',
      '+1',
      '1.',
      '.5',
      '-.5',
      '1.e1',
      '1e',
      '1e+',
      '1e1.5',
      '0x10',
      '1_000',
      '1n',
      '--1',
      '1 2',
    ],
    [
      'True',
      'tru',
      'truee',
      'nul',
      'nulL',
      'fals',
      'falsey',
      'txue',
      'trxe',
      'faxse',
      'falxe',
      'nxll',
      'nuxl',
      'n',
      'true false',
    ],
    ['"', '"a', '"\0"', '"\n"', '"\\x41"', '"\\u12"', '"a" "b"', 'a'],
    ['[', ']', '[1', '[1,', '[1,]', '[,1]', '[1 2]', '[1}', '[]]', '[[]', '[1,,2]', '[:]'],
    [
      '{',
      '}',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,',
      '{"a":1,}',
      '{,}',
      '{"a" 1}',
      '{a:1}',
      '{1:1}',
      '{"a"::1}',
    ],
    [
      '{"a":1 "b":2}',
      '{"a":1]',
      '{"a"}',
      '{"a":1}}',
      '{"a":1},',
      '{{}}',
      '{xa":1}',
      '{"a"x1}',
      '{"a":1x"b":1}',
      '[1x2]',
      '{[]:1}',
      '{null:1}',
      '{"a":}',
    ],
  ])('refuses %j and its like', (...texts) => {
    for (const text of texts) expect([text, ...verdicts(text)]).toEqual([text, false, false]);
  });

  it('accepts whatever is JSON, with white space anywhere', () => {
    fc.assert(
      fc.property(withSpaceAround(jsonValue), fc.nat(4), (text, offset) => {
        expect(parses(Buffer.from(text))).toBe(true);
        expect(accepts(sliceAmid(Buffer.from(text), offset, '0'))).toBe(true);
      }),
      propertyRuns(250),
    );
  });

  it('accepts of damaged texts exactly those that JSON.parse accepts', () => {
    fc.assert(
      fc.property(
        mutatedBytes(fc.oneof(withSpaceAround(jsonValue), jsonNumber, jsonString)),
        lineStart,
        (text, start) => {
          const bytes = Buffer.concat([start, text]);
          // JSON.parse takes text: bytes that are none have to be replaced before it can say anything
          fc.pre(isUtf8(bytes));
          expect(accepts(sliceAmid(bytes, 1, '0'))).toBe(parses(bytes));
        },
      ),
      propertyRuns(1250),
    );
  });

  it('accepts the same whether it skips a value or walks through it', () => {
    const damaged = mutatedBytes(
      fc.oneof(
        jsonObject,
        fc.array(jsonValue).map((values) => `[${values.join(',')}]`),
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          damaged,
          jsonValue.map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          expect(acceptsWalking(bytes)).toBe(accepts(bytes));
        },
      ),
      propertyRuns(750),
    );
  });

  it('refuses every text that has been cut short', () => {
    fc.assert(
      fc.property(jsonObject, (text) => {
        const bytes = Buffer.from(text);
        const cuts = Array.from(bytes, (_, length) => sliceAmid(bytes.subarray(0, length), 3, '}'));
        expect(cuts.filter((cut) => accepts(cut))).toEqual([]);
      }),
      propertyRuns(25),
    );
  });

  it('never throws anything but a JsonSyntaxError, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(accepts(Buffer.from(bytes))).toBeTypeOf('boolean');
      }),
      propertyRuns(250),
    );
  });

  it('returns the offset after the value, whatever follows', () => {
    const following = fc.constantFrom('', ' ', ',', ']', '}', ':', '"', '\n', 'x', '[', '{');
    fc.assert(
      fc.property(jsonString, jsonValue, following, (before, text, after) => {
        const start = Buffer.byteLength(before);
        const reader = new JsonReader(Buffer.from(before + text + after));
        expect(reader.value(start)).toBe(start + Buffer.byteLength(text));
      }),
      propertyRuns(250),
    );
  });

  it('tells each member of an object where its key and its value stand, in the order of the text', () => {
    fc.assert(
      fc.property(jsonObject, (text) => {
        const bytes = Buffer.from(text);
        const reader = new JsonReader(bytes);
        const entries: [PropertyKey, unknown][] = [];
        const end = reader.object(0, 0, (keyStart, keyEnd, at, depth) => {
          const valueEnd = reader.value(at, depth);
          entries.push([textAt(bytes, keyStart - 1, keyEnd + 1) as string, textAt(bytes, at, valueEnd)]);
          return valueEnd;
        });
        expect(end).toBe(bytes.length);
        expect(Object.fromEntries(entries)).toEqual(JSON.parse(text));
      }),
      propertyRuns(250),
    );
  });

  it('tells each element of an array where it stands', () => {
    fc.assert(
      fc.property(fc.array(withSpaceAround(jsonValue)), (elements) => {
        const bytes = Buffer.from(`[${elements.join(',')}]`);
        const reader = new JsonReader(bytes);
        const found: string[] = [];
        const end = reader.array(0, 0, (at, depth) => {
          const elementEnd = reader.value(at, depth);
          found.push(bytes.toString('utf8', at, elementEnd));
          return elementEnd;
        });
        expect(end).toBe(bytes.length);
        expect(found).toEqual(elements.map((element) => element.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')));
      }),
      propertyRuns(100),
    );
  });

  it.each([
    ['an object', 'x}', (reader: JsonReader) => reader.object(0, 0, () => 2)],
    ['an object in an array', '[}', (reader: JsonReader) => reader.object(0, 0, () => 2)],
    ['an array', 'x]', (reader: JsonReader) => reader.array(0, 0, () => 2)],
    ['an array at the end of the text', '', (reader: JsonReader) => reader.array(0, 0, () => 2)],
  ])('refuses to read %s where none begins', (_, text, read) => {
    expect(() => read(new JsonReader(Buffer.from(text)))).toThrow(JsonSyntaxError);
  });

  it.each([
    ['[1,\x01]', 3],
    ['{"a":tru}', 5],
    ['{"a":1} x', 8],
    ['{"a":1', 6],
    ['["\u00E9", \\', 7],
  ])('says at which byte it stopped in %j', (text, offset) => {
    const reader = new JsonReader(Buffer.from(text));
    const read = () => reader.expectEnd(reader.value(0));
    expect(read).toThrow(expect.objectContaining({ name: 'JsonSyntaxError', offset }));
    expect(read).toThrow(`at byte ${offset}`);
  });
});
