import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutSpace, jsonValue } from '@mcpmux/testing/arbitrary-json';
import { mutatedBytes } from '@mcpmux/testing/byte-mutation';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { asSecondElement, endOf, parses } from '../testing/skipped-values.js';
import { jsonSkipper, NO_END } from './json-skipper.js';

// JSON without white space is checked in blocks of 64 bytes, eight of which are classified at once, and the first piece
// of a text holds 15: what stands where in a block is what can go wrong.
const BLOCK_BYTES = 64;
const BORDERS = [8 * BLOCK_BYTES, 15 * BLOCK_BYTES];
/** `text` as the second element of an array, so that `border` comes `before` bytes behind its beginning. */
function atBorder(text: Buffer, border: number, before: number): Buffer {
  return asSecondElement(text, border - before);
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + countOf(part), 1);
}

const PLACES = BORDERS.flatMap((at) => Array.from({ length: BLOCK_BYTES }, (_, i) => [at, i] as const));
const border = fc.constantFrom(...BORDERS);
const before = fc.nat(BLOCK_BYTES);

describe('JsonSkipper.skipValue in JSON without white space', () => {
  it('finds the end of every value, wherever a block begins', () => {
    fc.assert(
      fc.property(withoutSpace(jsonValue), border, before, (text, ...place) => {
        const bytes = atBorder(Buffer.from(text), ...place);
        expect([endOf(bytes), endOf(Buffer.concat([bytes, Buffer.from(',"more"]')]))]).toEqual([
          bytes.length,
          bytes.length,
        ]);
      }),
      propertyRuns(750),
    );
  });

  it('takes no text that JSON.parse does not', () => {
    fc.assert(
      fc.property(mutatedBytes(withoutSpace(jsonValue)), border, before, (text, ...place) => {
        const bytes = atBorder(text, ...place);
        const end = endOf(bytes);
        const isTaken = end !== NO_END;
        expect(parses(isTaken ? bytes.subarray(0, end) : bytes)).toBe(isTaken);
      }),
      propertyRuns(1250),
    );
  });

  it('takes of a table over several pieces what JSON.parse takes, wherever a byte is damaged', () => {
    const rows = Array.from(
      { length: 900 },
      (_, i) => `{"id":${i},"name":"row \\n ${i}","done":${i % 2 === 0},"n":-${i}.5e1}`,
    );
    fc.assert(
      fc.property(mutatedBytes(fc.constant(`[${rows.join(',')}]`)), (text) => {
        const bytes = asSecondElement(text, 900);
        const end = endOf(bytes);
        const isTaken = end !== NO_END;
        expect(parses(isTaken ? bytes.subarray(0, end) : bytes)).toBe(isTaken);
      }),
      propertyRuns(100),
    );
  });

  it('takes no flood for a value that is none, and writes nothing beside its own memory', () => {
    const tokens = `, : [ ] { } " 0 1 - + . e E t f n a # \\ ,0 ,- [0 0, -, t, ,t {}, :0 "", "":`.split(' ');
    for (const token of tokens) {
      for (const start of ['[', '{', `[${'1,'.repeat(600)}`]) {
        const bytes = Buffer.from(`${start}${token.repeat(50_000 / token.length)}0]`);
        const end = endOf(bytes);
        const isTaken = end !== NO_END;
        expect([token, parses(isTaken ? bytes.subarray(0, end) : bytes)]).toEqual([token, isTaken]);
      }
    }
  });

  it('counts as many values as JSON.parse builds', () => {
    fc.assert(
      fc.property(fc.json(), border, before, (text, ...place) => {
        const bytes = atBorder(Buffer.from(JSON.stringify(JSON.parse(text))), ...place);
        expect(endOf(bytes)).toBe(bytes.length);
        expect(jsonSkipper()?.valueCount).toBe(countOf(JSON.parse(bytes.toString())));
      }),
    );
  });

  it.each([
    ['numbers', ['0', '-0', '0.5', '-0.5', '10', '1e05', '1E+5', '1.5e-07', '-12.25', '9'.repeat(150)]],
    ['long numbers', [`1.${'3'.repeat(150)}e+10`, `${'1'.repeat(70)}.5`, `-0.${'0'.repeat(64)}1`]],
    [
      'no numbers',
      ['01', '-01', '00', '-', '+1', '.5', '1.', '1.e5', '1e', '1e+', '1-5', '--1', '0x1', '1_0'],
    ],
    ['numbers with two ends', ['1.2.3', '1e5.3', '1e5e5', '1.5e3e2', '1.5e+3.2', '1.5e3-2', '1e+-5', '1..2']],
    ['words', ['true', 'false', 'null', 'true,false,null', '{"a":true}', '{"a":null,"b":false}', '[null]']],
    [
      'no words',
      ['tru', 'truex', 'true1', '1true', 'falsy', 'nulll', 'NULL', 'NaN', 'e', 'truefalse', 'null"a"'],
    ],
    ['strings', ['""', '"","",""', '"\\""', '"\\\\"', `"${'\\'.repeat(130)}"`, '"\\u00e9"', '"{[:,"', '"é"']],
    [
      'no strings',
      ['"', '"\\"', `"${'\\'.repeat(131)}"`, '"\\x"', '"\\u00g0"', '"\\u12"', '"\t"', '"a""b"', '\\"a"'],
    ],
    ['objects', ['{}', '{"":{}}', '{"a":1,"a":[]}', '{"a":"b","c":{"d":[{}]}}', `{"${'k'.repeat(200)}":[]}`]],
    [
      'no objects',
      ['{"a"}', '{"a":}', '{"a":1,}', '{,}', '{1:2}', '{"a":1,2}', '{"a":1,"b"}', '{"a":"b":"c"}'],
    ],
    [
      'objects that are none',
      ['{"a" :1', '{[]:1}', '{"a":1]', '{"a","b":1}', '{"a":{}"b":1}', '{:1}', '{"a"::1}'],
    ],
    ['arrays', ['[]', '[[],[[]],{}]', '[1,"a",[2],{"b":3}]', `${'['.repeat(100)}${']'.repeat(100)}`]],
    [
      'no arrays',
      ['[,]', '[1,]', '[,1]', '[1,,2]', '["a":1]', '[1 2]', '[}', '[[}]', '[1}', '[]]', '["a"[]]', '[]1'],
    ],
  ])('agrees with JSON.parse about %s at every place of a block', (_, texts) => {
    for (const text of texts) {
      for (const place of PLACES) {
        const bytes = atBorder(Buffer.from(text), ...place);
        const end = endOf(bytes);
        const isTaken = end !== NO_END;
        expect([text, place, parses(isTaken ? bytes.subarray(0, end) : bytes)]).toEqual([
          text,
          place,
          isTaken,
        ]);
      }
    }
  });
});
