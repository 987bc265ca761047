import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { escapeControls } from './escape-controls.js';

/** Every character of the basic plane. */
const PLANE = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code));
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('fault H5: escapeControls', () => {
  it('writes every control but tab and newline, every bidirectional control and every separator as an escape', () => {
    const wrong = PLANE.filter((character) => {
      const isHarmful = /[\p{Cc}\p{Zl}\p{Zp}]/u.test(character) || BIDI.test(character);
      const code = character.charCodeAt(0).toString(16).padStart(4, '0');
      const isKept = !isHarmful || character === '\n' || character === '\t';
      return escapeControls(character) !== (isKept ? character : `\\u${code}`);
    });
    expect(wrong).toEqual([]);
  });

  it('leaves letters, emoji and their joiners as they are', () => {
    const text = 'Grüße 日本語 👩‍👩‍👧 ❤️ עברית\n\tx';
    expect(escapeControls(text)).toBe(text);
  });

  it('leaves JSON the same document', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText(), (value, text) => {
        const whole = { [text]: [value, text, '\u001b\u009b\u202e\u2028\u007f'] };
        expect(JSON.parse(escapeControls(JSON.stringify(whole)))).toEqual(JSON.parse(JSON.stringify(whole)));
      }),
    );
  });
});
