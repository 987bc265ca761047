import { describe, expect, it } from 'vitest';

import { escapeInvisible } from './invisible-text.js';

describe('escapeInvisible', () => {
  it.each([
    ['a line break', 'a\nb', String.raw`a\u{a}b`],
    ['an escape sequence', '\u001b[2J', String.raw`\u{1b}[2J`],
    ['a change of direction', 'a\u202eb', String.raw`a\u{202e}b`],
    ['a zero width space', 'a\u200bb', String.raw`a\u{200b}b`],
    ['a tag character', 'a\u{e0041}b', String.raw`a\u{e0041}b`],
    ['a variation selector', 'a\u{e0101}b', String.raw`a\u{e0101}b`],
    ['half a character', 'a\ud800b', String.raw`a\u{d800}b`],
  ])('shows %s', (_, text, shown) => {
    expect(escapeInvisible(text)).toBe(shown);
  });

  it('leaves what can be seen as it is', () => {
    expect(escapeInvisible('naïve 日本語 🙂 "x"')).toBe('naïve 日本語 🙂 "x"');
  });
});
