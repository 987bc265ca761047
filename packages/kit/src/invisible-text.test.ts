import { describe, expect, it } from 'vitest';

import { escapeInvisible, hiddenCharacter } from './invisible-text.js';

describe('escapeInvisible', () => {
  it.each([
    ['a line break', 'a\nb', String.raw`a\u{a}b`],
    ['an escape sequence', '\u001b[2J', String.raw`\u{1b}[2J`],
    ['a change to direction', 'a\u202eb', String.raw`a\u{202e}b`],
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

describe('hiddenCharacter', () => {
  it.each([
    ['a\u202eb', 'U+202E'],
    ['a\u200bb', 'U+200B'],
    ['a\u{e0041}b', 'U+E0041'],
    ['a\u{e0101}b', 'U+E0101'],
    ['a\u200d\u200c\u200d', 'U+200D'],
    ['a\u001b[2J', 'U+001B'],
    ['a\ufeffb', 'U+FEFF'],
  ])('G3: finds what hides something in %j', (text, found) => {
    expect(hiddenCharacter(text)).toBe(found);
  });

  it('G3: finds nothing in ordinary texts of any script, emoji and line breaks among them', () => {
    for (const text of [
      'a\r\n\tb',
      '\u2764\ufe0f\u200d\u{1f525}',
      '\u0645\u06cc\u200c\u062e',
      '\u65e5\u672c',
      '',
    ])
      expect(hiddenCharacter(text)).toBeUndefined();
  });
});
