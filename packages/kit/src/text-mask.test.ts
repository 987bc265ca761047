import { describe, expect, it } from 'vitest';

import { NO_MASK, shownStart } from './text-mask.js';

describe('without secrets', () => {
  it('a text stays as it is', () => {
    expect(NO_MASK.redact('a text')).toBe('a text');
  });

  it('a text is split at the length', () => {
    expect(NO_MASK.split('abcde', 3, true)).toEqual({ shown: 'abc', rest: 'de' });
    expect(NO_MASK.split('abc', 3, true)).toBeUndefined();
  });

  it('the beginning of a text is told only as far as no secret may begin at its end', () => {
    expect(shownStart(NO_MASK, 'abcde', 3)).toBe('abc');
    expect(shownStart(NO_MASK, 'abc', 3)).toBe('abc');
    expect(shownStart(NO_MASK, 'abc', 3, false)).toBe('');
  });
});
