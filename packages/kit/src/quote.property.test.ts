import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { cutText } from './cut-text.js';
import { quote } from './quote.js';

describe('a quoted text of a peer', () => {
  it('is in quotes on one line, whatever is in it', () => {
    expect(quote('a "b"\n\u001B[31m')).toBe(String.raw`"a \"b\"\n\u001b[31m"`);
  });

  it('is whole up to 200 characters, and cut behind them', () => {
    fc.assert(
      fc.property(anyText({ minLength: 150, maxLength: 250 }), (text) => {
        const back: unknown = JSON.parse(quote(text));
        expect(back).toBe(text.length > 200 ? `${cutText(text, 200)}…` : text);
      }),
      propertyRuns(25),
    );
  });
});
