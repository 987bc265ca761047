import { describe, expect, it } from 'vitest';

import { cutText } from './cut-text.js';

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
