import { describe, expect, it } from 'vitest';

import { NearTerms } from './near-terms.js';

const TERMS = new NearTerms(['repository', 'report', 'milestone', 'issue', 'file', 'files', 'fill']);

describe('the words near a misspelled one', () => {
  it.each([
    ['repositroy', ['repository']],
    ['repostory', ['repository']],
    ['milestne', ['milestone']],
    ['isuse', ['issue']],
    // A short word has too many neighbours.
    ['fike', []],
    ['unknown', []],
  ])('of %s are %j', (word, near) => {
    expect(TERMS.similarTerms(word)).toEqual(near);
  });
});

describe('the words that begin with an unfinished one', () => {
  it.each([
    ['repo', ['repository', 'report']],
    ['fi', []],
    ['issue', []],
  ])('%s are %j', (word, longer) => {
    expect(TERMS.termsWithPrefix(word)).toEqual(longer);
  });
});
