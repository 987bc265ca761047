import { expect, it } from 'vitest';

import { shellWord } from './shell-word.js';

it.each([
  ['files', 'files'],
  ['/home/ann/.config', '/home/ann/.config'],
  ['bad name!', "'bad name!'"],
  ["it's", String.raw`'it'\''s'`],
  ['', "''"],
])('%j is typed as %s', (word, typed) => {
  expect(shellWord(word)).toBe(typed);
});
