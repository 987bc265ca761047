import { expect, it } from 'vitest';

import { blocksOf } from './blocks.js';

it('a paragraph and a heading are texts, and a table is its rows without the line that rules it', () => {
  const markdown = '## Goals\n\none\ntwo\n\n| goal | met |\n| - | -: |\n| a | yes |\n| b | no |\n';
  expect(blocksOf(markdown)).toEqual([
    '## Goals',
    'one\ntwo',
    [
      ['goal', 'met'],
      ['a', 'yes'],
      ['b', 'no'],
    ],
  ]);
});

it('a bar in a cell does not end the cell', () => {
  expect(blocksOf('| a |\n| - |\n| x \\| y |')).toEqual([[['a'], ['x | y']]]);
});
