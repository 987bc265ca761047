import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compact, jsonObject } from '@mcpmux/testing/arbitrary-json';
import { rows } from '../testing/arbitrary-rows.js';
import { mutated } from '@mcpmux/testing/byte-mutation';
import { asSecondElement, endOf, parses, valuesIn } from '../testing/value-ends.js';
import { NO_END, valueEndFinder } from './value-end.js';

/** The first piece of a text, and one behind it: where they end, a row is read in two parts. */
const BORDERS = [1024, 1024 + 32 * 1024];
const place = fc.record({ border: fc.constantFrom(...BORDERS), before: fc.nat(900) });
type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

/** Now and then another object stands among them. */
const mixed = fc
  .tuple(rows, compact(jsonObject), fc.option(fc.nat(40)))
  .map(([texts, other, at]) => (at === null ? texts : texts.toSpliced(at, 0, other)));
const table = mixed.map((texts) => `[${texts.join(',')}]`);

function placed(text: Buffer, { border, before }: Place): Buffer {
  return asSecondElement(text, border - before);
}

describe('the finder of ends of values in arrays of objects that are alike', () => {
  it('finds the end of every one of them, and counts its values', () => {
    fc.assert(
      fc.property(table, place, (text, where) => {
        const bytes = placed(Buffer.from(text), where);
        expect(endOf(bytes)).toBe(bytes.length);
        expect(valueEndFinder()?.values).toBe(valuesIn(bytes.toString()));
        expect(endOf(Buffer.concat([bytes, Buffer.from(',"more"]')]))).toBe(bytes.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes none that JSON.parse does not', () => {
    fc.assert(
      fc.property(mutated(table), place, (text, where) => {
        const bytes = placed(text, where);
        const end = endOf(bytes);
        const isTaken = end !== NO_END;
        expect(parses(isTaken ? bytes.subarray(0, end) : bytes)).toBe(isTaken);
      }),
      { numRuns: 5000 },
    );
  });
});
