import { expect, it } from 'vitest';

import { lineDiff } from './line-diff.js';

function diff(before: string, after: string): readonly string[] {
  return lineDiff(before.replaceAll(' ', '\n'), after.replaceAll(' ', '\n'));
}

it.each([
  ['a b c', 'a b c', ['  a', '  b', '  c']],
  ['a b c', 'a x c', ['  a', '- b', '+ x', '  c']],
  ['a b', 'a b c d', ['  a', '  b', '+ c', '+ d']],
  ['a b c d', 'c d', ['- a', '- b', '  c', '  d']],
  ['a b c d e', 'a c x d e f', ['  a', '- b', '  c', '+ x', '  d', '  e', '+ f']],
  ['x', 'y', ['- x', '+ y']],
])('%j and %j differ in the lines with a sign', (before, after, lines) => {
  expect(diff(before, after)).toEqual(lines);
});

it('long texts are told apart without comparing each pair of lines', () => {
  const long = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
  const lines = lineDiff(long.join('\n'), long.map((line) => `${line}!`).join('\n'));
  expect(lines).toHaveLength(10_000);
});
