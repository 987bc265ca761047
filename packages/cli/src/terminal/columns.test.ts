import { expect, it } from 'vitest';

import { styleCode } from '../base/terminal-text.js';
import { inColumns, printable } from './columns.js';

it('columns are as wide as their widest cell, colours not counted', () => {
  const rows = [
    ['\u001B[32mon\u001B[39m', 'a', 'x'],
    ['failed', 'bcd', 'y'],
  ];
  expect(inColumns(rows, 80)).toBe('\u001B[32mon\u001B[39m      a    x\nfailed  bcd  y');
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
  expect(inColumns([['\u001B[31ma long reason\u001B[39m']], 10)).toBe(
    `\u001B[31ma long re\u001B[39m…${styleCode(0)}`,
  );
});

it('what a server says cannot move the cursor', () => {
  expect(printable('a\u001B[2Jb\r\nc\u0007')).toBe('a [2Jb c ');
});
