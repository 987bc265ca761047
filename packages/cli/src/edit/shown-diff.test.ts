import { expect, it } from 'vitest';

import { lineDiff } from './shown-diff.js';

const TEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

it('what is the same has no lines', () => {
  expect(lineDiff('a\nb\n', 'a\nb\n')).toEqual([]);
});

it('everything of a new file is new', () => {
  expect(lineDiff('', 'a\nb\n')).toEqual(['+a', '+b']);
});

it('a change has three lines around it', () => {
  const after = TEN.map((line) => (line === 'e' ? 'E' : line));
  expect(lineDiff(TEN.join('\n'), after.join('\n'))).toEqual([
    ' b',
    ' c',
    ' d',
    '-e',
    '+E',
    ' f',
    ' g',
    ' h',
  ]);
});

it('two changes far apart have a mark between them', () => {
  const after = TEN.map((line) => (line === 'a' || line === 'j' ? line.toUpperCase() : line));
  expect(lineDiff(TEN.join('\n'), after.join('\n'))).toEqual([
    '-a',
    '+A',
    ' b',
    ' c',
    ' d',
    '…',
    ' g',
    ' h',
    ' i',
    '-j',
    '+J',
  ]);
});

it('line breaks of Windows are line breaks', () => {
  expect(lineDiff('a\r\nb\r\n', 'a\nc\n')).toEqual([' a', '-b', '+c']);
});
