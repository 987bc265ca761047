import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nearNames } from './near-names.js';

const KNOWN = ['github__create_issue', 'github__list', 'files__read', '日本語__検索', 'x__'];

describe('the names near to an unknown one', () => {
  it.each([
    ['GitHub__Create_Issue', ['github__create_issue']],
    ['github-create-issue', ['github__create_issue']],
    ['create_issue', ['github__create_issue']],
    ['mcp__mcpmux__files__read', ['files__read']],
    ['github', ['github__create_issue', 'github__list']],
    ['検索', ['日本語__検索']],
    ['nothing_like_it', []],
  ])('differ in case and punctuation, or hold it, or are held by it: %s', (name, near) => {
    expect(nearNames(name, KNOWN).filter((known) => known !== 'x__')).toEqual(near);
  });

  it.each(['', '__', '-', ' '])('are none for a name without a letter or digit: %j', (name) => {
    expect(nearNames(name, KNOWN)).toEqual([]);
  });

  it('do not hold a name without a letter or digit, which every text contains', () => {
    expect(nearNames('github', ['__', '---', ''])).toEqual([]);
  });

  it('are none for a text that is too long for a name', () => {
    expect(nearNames(`github__list${' '.repeat(1000)}`, KNOWN)).toEqual([]);
  });

  it('are at most five, the first ones', () => {
    const known = Array.from({ length: 20 }, (_, index) => `a__tool_${index}`);
    expect(nearNames('tool', known)).toEqual(known.slice(0, 5));
  });

  it('are names that are known, in their order', () => {
    fc.assert(
      fc.property(fc.string(), fc.uniqueArray(fc.string()), (name, known) => {
        const near = nearNames(name, known);
        expect(known.filter((candidate) => near.includes(candidate))).toEqual(near);
      }),
    );
  });
});
