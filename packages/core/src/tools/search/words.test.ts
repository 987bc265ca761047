import { expect, it } from 'vitest';

import { meaning, stem, term, words } from './words.js';

it.each([
  ['issues', 'issue'],
  ['directories', 'directory'],
  ['branches', 'branch'],
  ['creating', 'create'],
  ['dropped', 'drop'],
  ['statuses', 'status'],
])('%s and %s have the same stem', (one, other) => {
  expect(stem(one)).toBe(stem(other));
});

it.each([
  ['delete', 'remove'],
  ['folder', 'directory'],
  ['ticket', 'bug'],
])('%s and %s mean the same', (one, other) => {
  expect(meaning(stem(one))).toBe(meaning(stem(other)));
});

it('names are cut into words, and words that tell nothing have no term', () => {
  expect(words('createIssue_v2 日本語')).toEqual(['create', 'Issue', 'v2', '日本語']);
  expect([term('The'), term('which'), term('Issue')]).toEqual([null, null, stem('issue')]);
});
