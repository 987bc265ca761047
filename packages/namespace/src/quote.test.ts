import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { quote, UNPRINTABLE } from './quote.js';
import { anyText } from './testing/arbitrary-names.js';

describe('quote', () => {
  it.each([
    ['plain', '"plain"'],
    ['日本語', '"日本語"'],
    ['say "hi"', String.raw`"say \"hi\""`],
    ['a\nb', String.raw`"a\nb"`],
    ['\u001B[31m', String.raw`"\u001b[31m"`],
    ['\u0085\u2028\u202E\u2066', String.raw`"\u0085\u2028\u202e\u2066"`],
    ['\uD800', String.raw`"\ud800"`],
  ])('writes %j as %s', (text, literal) => {
    expect(quote(text)).toBe(literal);
  });

  it('shows the first 64 code units of a longer text', () => {
    expect(quote('x'.repeat(64))).toBe(`"${'x'.repeat(64)}"`);
    expect(quote('x'.repeat(65))).toBe(`"${'x'.repeat(64)}…"`);
  });

  it('holds nothing that a terminal would act on', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(quote(text)).not.toMatch(UNPRINTABLE);
        expect(quote(text)).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
