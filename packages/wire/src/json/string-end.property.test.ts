import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonString } from '@mcpmux/testing/arbitrary-json';
import { sliceAmid } from '@mcpmux/testing/slice-amid';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';

/** Around these lengths the reader leaves the byte loop, and begins and ends a run of words. */
const LENGTHS = [...range(0, 8), ...range(28, 44), ...range(64, 68), ...range(510, 516)];
const ALIGNMENTS = range(0, 3);
/** What stands behind a string: with enough of it, long strings are left to WebAssembly. */
const BEHIND = ['', 'x'.repeat(1100)];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** How far behind its opening quote, at `start`, the string ends, or turns out to be none. */
function outcome(bytes: Buffer, start: number): string {
  try {
    return `ends at ${new JsonReader(bytes).string(start) - start}`;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `refused at ${error.offset - start}`;
    throw error;
  }
}

/** The outcomes for the string at the end of a line, in short and long lines and at all alignments. */
function outcomes(string: string, around = '"'): string[] {
  const found = BEHIND.flatMap((behind) => {
    const line = Buffer.from(string + behind);
    return ALIGNMENTS.map((alignment) => outcome(sliceAmid(line, alignment, around), 0));
  });
  return [...new Set(found)];
}

/** The outcomes that differ from what `expected` says, with `piece` at all positions in strings of all lengths. */
function mismatches(piece: string, expected: (position: number, length: number) => string): string[] {
  const found: string[] = [];
  for (const length of LENGTHS) {
    for (const position of range(Math.max(0, length - 40), length)) {
      const after = ' '.repeat(position % 4);
      const string = `"${'x'.repeat(position)}${piece}${'x'.repeat(length - position)}"${after}`;
      const actual = outcomes(string).join(' or ');
      const wanted = expected(position, length);
      if (actual !== wanted) found.push(`${piece} at ${position} of ${length} ${actual}, not ${wanted}`);
    }
  }
  return found;
}

describe('a string', () => {
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

  it('refuses every raw control character, and every escape that JSON does not know', () => {
    const characters = range(0, 0xff).map((code) => String.fromCharCode(code));
    const controls = characters.slice(0, 0x20);
    const unknown = characters
      .filter((letter) => !'"\\/bfnrtu'.includes(letter))
      .map((letter) => `\\${letter}0041`);
    const broken = ['\\u', '\\u1', '\\u12', '\\u123', '\\u 123', '\\u-123', '\\u+123', '\\u12\\u'];
    for (const bad of [...controls, ...unknown, ...broken]) {
      expect([bad, outcomes(`"a${bad}zzz"`)]).toEqual([bad, ['refused at 2']]);
    }
  });

  it('takes sixteen digits in both cases for hexadecimal, at each of four places', () => {
    for (const character of range(0x20, 0x7e).map((code) => String.fromCharCode(code))) {
      const expected = /[0-9A-Fa-f]/.test(character) ? 'ends at 8' : 'refused at 1';
      const escapes = [`${character}000`, `0${character}00`, `00${character}0`, `000${character}`];
      const found = escapes.map((escape) => outcome(Buffer.from(`"\\u${escape}"`), 0));
      expect([character, ...found]).toEqual([character, expected, expected, expected, expected]);
    }
  });

  it('does not see a quote that stands outside of its bytes', () => {
    for (const length of [...LENGTHS, ...LENGTHS.map((more) => 1100 + more)]) {
      const cut = sliceAmid(Buffer.from(`"${'x'.repeat(length)}`), 0);
      expect(outcome(cut, 0)).toBe(`refused at ${length + 1}`);
    }
  });

  it.each(['\\', '\\u', '\\u0', '\\u00', '\\u002'])(
    'refuses a string that is cut off in the escape %s',
    (cut) => {
      for (const length of LENGTHS) {
        expect(outcomes(`"${'x'.repeat(length)}${cut}`, '0')).toEqual([`refused at ${length + 1}`]);
      }
    },
  );

  it('lets bytes pass that are no UTF-8: they leave as they came', () => {
    const invalid = Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xe6, 0x22]);
    const long = Buffer.concat([invalid.subarray(0, -1), Buffer.alloc(2000, 0xff), Buffer.from('"')]);
    expect(outcome(invalid, 0)).toBe('ends at 10');
    expect(outcome(long, 0)).toBe(`ends at ${long.length}`);
  });

  it('finds every string of a line in turn', () => {
    fc.assert(
      fc.property(fc.array(jsonString, { minLength: 1 }), fc.nat(8), (strings, alignment) => {
        const reader = new JsonReader(sliceAmid(Buffer.from(strings.join(',')), alignment));
        let at = 0;
        for (const string of strings) {
          const end = reader.string(at);
          expect(end - at).toBe(Buffer.byteLength(string));
          at = end + 1;
        }
      }),
      propertyRuns(250),
    );
  });
});
