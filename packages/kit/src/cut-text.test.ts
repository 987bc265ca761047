import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutText, cutToBytes } from './cut-text.js';

describe('a text that is cut', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['abc', 0, ''],
    ['a\u{1f600}', 3, 'a\u{1f600}'],
    ['a\u{1f600}b', 3, 'a\u{1f600}'],
    ['a\u{1f600}b', 2, 'a'],
    ['\u{1f600}', 1, ''],
    ['a\ud83d', 2, 'a\ud83d'],
  ])('is not cut within a character: %j after %i units', (text, length, cut) => {
    expect(cutText(text, length)).toBe(cut);
  });
});

describe('a text that is cut at bytes', () => {
  it('G5: is its longest beginning of whole characters that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, maxBytes) => {
        const cut = cutToBytes(text, maxBytes);
        const next = text.slice(cut.length).codePointAt(0);
        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
        const isLongest =
          next === undefined || Buffer.byteLength(cut + String.fromCodePoint(next)) > maxBytes;
        expect(isLongest).toBe(true);
      }),
    );
  });
});
