import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonValue, withSpaceAround } from '@mcpmux/testing/arbitrary-json';
import { mutatedBytes } from '@mcpmux/testing/byte-mutation';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { asSecondElement, endOf, LEVELS, parses } from '../testing/skipped-values.js';
import { FIRST_PIECE_BYTES, NO_END, MAX_PIECE_BYTES, jsonSkipper } from './json-skipper.js';

/** `text` as the second element of an array, so that the end of the first piece falls `cut` bytes into it. */
function cutAt(text: Buffer, cut: number): Buffer {
  return asSecondElement(text, FIRST_PIECE_BYTES - cut);
}

describe('JsonSkipper.skipValue', () => {
  it('finds the end of every value, wherever a piece of the text ends', () => {
    fc.assert(
      fc.property(withSpaceAround(jsonValue), fc.nat(), (text, seed) => {
        const value = Buffer.from(text.trim());
        fc.pre(value.length <= 900);
        const bytes = cutAt(value, value.length === 0 ? 0 : seed % value.length);
        const expected = parses(bytes) ? bytes.length : NO_END;
        expect([endOf(bytes), endOf(Buffer.concat([bytes, Buffer.from(' ,"more"]')]))]).toEqual([
          expected,
          expected,
        ]);
      }),
      propertyRuns(750),
    );
  });

  it('takes no text that JSON.parse does not', () => {
    fc.assert(
      fc.property(mutatedBytes(jsonValue), fc.nat(), (text, seed) => {
        const value = text.subarray(0, 900);
        const bytes = cutAt(value, value.length === 0 ? 0 : seed % value.length);
        const end = endOf(bytes);
        const isTaken = end !== NO_END;
        expect(parses(isTaken ? bytes.subarray(0, end) : bytes)).toBe(isTaken);
      }),
      propertyRuns(1250),
    );
  });

  it.each([
    ['a string', `"${'é\\n\\u00e9'.repeat(40_000)}"`],
    ['a key', `{"${'k\\"'.repeat(60_000)}":1}`],
    ['numbers', `[${'-123456.789012e+10,'.repeat(20_000)}0]`],
    ['words', `[${'true,false,null,'.repeat(20_000)}0]`],
    ['white space', `[${' \n\r\t'.repeat(50_000)}]`],
    ['brackets', `[${'[{}],{"a":[]},'.repeat(20_000)}0]`],
  ])('goes on over many pieces in %s', (_, text) => {
    const bytes = Buffer.from(text);
    expect(bytes.length).toBeGreaterThan(2 * MAX_PIECE_BYTES);
    expect(endOf(bytes)).toBe(bytes.length);
    expect(endOf(bytes.subarray(0, -1))).toBe(NO_END);
  });

  it('counts the values on all levels', () => {
    expect(endOf(Buffer.from('{"a":[1,true,{}],"b":"c"}'))).toBe(25);
    expect(jsonSkipper()?.valueCount).toBe(6);
  });

  it('takes as many levels as it is given, and no more', () => {
    const nested = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
    expect([endOf(nested(3), 0, 3), endOf(nested(4), 0, 3)]).toEqual([6, NO_END]);
    expect([endOf(nested(LEVELS)), endOf(nested(LEVELS + 1))]).toEqual([2 * LEVELS, NO_END]);
  });

  it('leaves a number that is longer than a piece to others where there is white space', () => {
    const digits = '1'.repeat(3 * MAX_PIECE_BYTES);
    const [compactText, spacedText] = [`[${digits}]`, `[ ${digits}]`];
    expect([endOf(Buffer.from(compactText)), endOf(Buffer.from(spacedText))]).toEqual([
      compactText.length,
      NO_END,
    ]);
  });

  it('keeps nothing of a value that was none', () => {
    expect(endOf(Buffer.from('[[[{"a":'))).toBe(NO_END);
    expect(endOf(Buffer.from('{"a":1}'))).toBe(7);
  });
});
