import { expect, it } from 'vitest';

import { styleCode } from '../base/terminal-text.js';
import { inColumns, printable, wrapText } from './columns.js';

it('columns are as wide as their widest cell, colours not counted', () => {
  const on = `${styleCode(32)}on${styleCode(39)}`;
  const rows = [
    [on, 'a', 'x'],
    ['failed', 'bcd', 'y'],
  ];
  expect(inColumns(rows, 80)).toBe(`${on}      a    x\nfailed  bcd  y`);
});

it('a cell is as wide as a terminal shows it', () => {
  const rows = [
    ['日本語__ツール', 'x'],
    ['e\u0301cho', 'y'],
  ];
  expect(inColumns(rows, 80)).toBe('日本語__ツール  x\ne\u0301cho            y');
  expect(inColumns([['日本語のツール']], 10)).toBe('日本語の…');
});

it('a line ends where the terminal does', () => {
  expect(inColumns([['name', 'a long reason']], 14)).toBe('name  a long …');
});

it('a colour ends where its line is cut', () => {
  const red = (text: string): string => `${styleCode(31)}${text}${styleCode(39)}`;
  expect(inColumns([[red('a long reason')]], 10)).toBe(`${red('a long re')}…`);
});

it('a line is cut at its end, also when its colour begins later', () => {
  const red = (text: string): string => `${styleCode(31)}${text}${styleCode(39)}`;
  expect(inColumns([['name', red('a long reason')]], 14)).toBe(`name  ${red('a long ')}…`);
});

it('a text is broken between its words, and a word never', () => {
  expect(wrapText('the findings below are about its servers', 20)).toEqual([
    'the findings below',
    'are about its',
    'servers',
  ]);
  expect(wrapText('see /a/long/path/of/a/file now', 10)).toEqual(['see', '/a/long/path/of/a/file', 'now']);
  expect(wrapText('one  two', Number.POSITIVE_INFINITY)).toEqual(['one  two']);
});

it('fault H5: a code of a server is as wide as it is shown, and is no colour', () => {
  const rows = [
    ['\u001B[31m', 'x'],
    ['a', 'y'],
  ];
  expect(inColumns(rows, 80)).toBe(String.raw`\u001b[31m  x` + '\na           y');
  expect(inColumns([['\u202E\u001B[31ma long reason']], 14)).toBe(String.raw`\u202e\u001b[…`);
});

it('what a server says cannot move the cursor', () => {
  expect(printable('a\u001B[2Jb\r\nc\u0007')).toBe('a [2Jb c ');
});
