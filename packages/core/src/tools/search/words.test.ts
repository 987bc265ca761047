import { expect, it } from 'vitest';

import { meaningOf, stemOf, stemUnlessCommon, splitWords } from './words.js';

it.each([
  ['issues', 'issue'],
  ['directories', 'directory'],
  ['branches', 'branch'],
  ['creating', 'create'],
  ['dropped', 'drop'],
  ['statuses', 'status'],
])('%s and %s have the same stem', (one, other) => {
  expect(stemOf(one)).toBe(stemOf(other));
});

it.each([
  ['delete', 'remove'],
  ['folder', 'directory'],
  ['ticket', 'bug'],
])('%s and %s mean the same', (one, other) => {
  expect(meaningOf(stemOf(one))).toBe(meaningOf(stemOf(other)));
});

it('names are cut into words, and words that tell nothing have no term', () => {
  expect(splitWords('createIssue_v2 日本語')).toEqual(['create', 'Issue', 'v2', '日本語']);
  expect([stemUnlessCommon('The'), stemUnlessCommon('which'), stemUnlessCommon('Issue')]).toEqual([
    null,
    null,
    stemOf('issue'),
  ]);
});
