import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonString } from '../testing/arbitrary-json.js';
import { sliceAmid } from '../testing/slice-amid.js';
import { JsonSyntaxError } from './json-syntax-error.js';
import { StringReader } from './string-reader.js';

/** Around these lengths the reader leaves the byte loop, and begins and ends a run of words. */
const LENGTHS = [...range(0, 8), ...range(28, 44), ...range(64, 68), ...range(510, 516)];
const ALIGNMENTS = range(0, 3);

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Where the string that begins at 0 ends, or at which byte it turns out to be none. */
function outcome(bytes: Buffer): string {
  try {
    return `ends at ${new StringReader(bytes).endOf(0)}`;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `refused at ${error.offset}`;
    throw error;
  }
}

/** The outcomes that differ from what `expected` says, over all positions in strings of all lengths and alignments. */
function mismatches(piece: string, expected: (position: number, length: number) => string): string[] {
  const found: string[] = [];
  for (const length of LENGTHS) {
    for (const position of range(Math.max(0, length - 40), length)) {
      const text = `"${'x'.repeat(position)}${piece}${'x'.repeat(length - position)}" `;
      const wanted = expected(position, length);
      for (const alignment of ALIGNMENTS) {
        const actual = outcome(sliceAmid(Buffer.from(text), alignment));
        if (actual !== wanted)
          found.push(`${piece} at ${position}/${length}+${alignment}: ${actual}, not ${wanted}`);
      }
    }
  }
  return found;
}

describe('StringReader', () => {
  it('ends a string at its first quote, wherever that stands', () => {
    expect(mismatches('"', (position) => `ends at ${position + 2}`)).toEqual([]);
  });

  it.each(['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0022', '\\uD83d', '\\u005C'])(
    'reads over the escape %s, wherever it stands',
    (escape) => {
      expect(mismatches(escape, (_, length) => `ends at ${length + escape.length + 2}`)).toEqual([]);
    },
  );

  it.each(['é', '\x7F', '\u0085', '\u2028', '\u{1F600}', '#!', '][', '\x80'])(
    'reads over %j, which is near to what it looks for',
    (text) => {
      expect(mismatches(text, (_, length) => `ends at ${length + Buffer.byteLength(text) + 2}`)).toEqual([]);
    },
  );

  it.each(['\0', '\n', '\x1F'])('refuses the raw control character %j where it stands', (raw) => {
    expect(mismatches(raw, (position) => `refused at ${position + 1}`)).toEqual([]);
  });

  it.each(['\\x', '\\u12G4', '\\\n'])('refuses the escape %j where it stands', (escape) => {
    expect(mismatches(`${escape}zz`, (position) => `refused at ${position + 1}`)).toEqual([]);
  });

  it('refuses every raw control character and every escape that JSON does not know', () => {
    const controls = range(0, 0x1f).map((code) => String.fromCharCode(code));
    const letters = range(0, 0xff).map((code) => String.fromCharCode(code));
    const unknown = letters.filter((letter) => !'"\\/bfnrtu'.includes(letter)).map((letter) => `\\${letter}`);
    const broken = ['\\u', '\\u1', '\\u12', '\\u123', '\\u123g', '\\u 123', '\\u-123', '\\u+123', '\\u12\\u'];
    for (const bad of [...controls, ...unknown, ...broken]) {
      expect([bad, outcome(Buffer.from(`"a${bad}zzz"`))]).toEqual([bad, 'refused at 2']);
    }
  });

  it('does not see a quote that stands outside of its bytes', () => {
    for (const length of LENGTHS) {
      for (const alignment of ALIGNMENTS) {
        const open = sliceAmid(Buffer.from(`"${'x'.repeat(length)}`), alignment);
        expect(outcome(open)).toBe(`refused at ${length + 1}`);
      }
    }
  });

  it.each(['\\', '\\u', '\\u0', '\\u00', '\\u002'])(
    'refuses a string that is cut off in the escape %s',
    (cut) => {
      for (const length of LENGTHS) {
        const bytes = Buffer.from(`"${'x'.repeat(length)}${cut}`);
        for (const alignment of ALIGNMENTS) {
          expect(outcome(sliceAmid(bytes, alignment, '0'))).toBe(`refused at ${length + 1}`);
        }
      }
    },
  );

  it('lets bytes pass that are no UTF-8: they leave as they came', () => {
    const invalid = Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xe6, 0x22]);
    expect(outcome(invalid)).toBe('ends at 10');
  });

  it('finds every string of a line in turn', () => {
    fc.assert(
      fc.property(fc.array(jsonString, { minLength: 1 }), fc.nat(8), (strings, alignment) => {
        const reader = new StringReader(sliceAmid(Buffer.from(strings.join(',')), alignment));
        let at = 0;
        for (const string of strings) {
          const end = reader.endOf(at);
          expect(end - at).toBe(Buffer.byteLength(string));
          at = end + 1;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
