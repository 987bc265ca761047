import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { ReadOnlyFileError, writeAtomically } from './atomic-write.js';
import { backUp } from './back-up.js';

/** Windows has no permissions of this kind, and links need a right that most users lack. */
const IS_WINDOWS = process.platform === 'win32';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-write-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(IS_WINDOWS)(
  'a file is written with its folders, for its owner alone, and nothing else is left',
  () => {
    const file = join(folder, 'a', 'b', 'config.json');
    writeAtomically(file, 'text');
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['config.json']);
  },
);

it('a file replaces another, and nothing else is left', () => {
  const file = join(folder, 'a', 'config.json');
  for (const text of ['old', 'new']) writeAtomically(file, text);
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(join(folder, 'a'))).toEqual(['config.json']);
});

it.skipIf(IS_WINDOWS)('a file keeps its permissions', () => {
  const file = join(folder, 'config.json');
  writeFileSync(file, 'old');
  chmodSync(file, 0o644);
  writeAtomically(file, 'new');
  expect(statSync(file).mode & 0o777).toBe(0o644);
});

it.skipIf(IS_WINDOWS)('a file keeps permissions that new files do not get', () => {
  const file = join(folder, 'config.json');
  writeFileSync(file, 'old');
  chmodSync(file, 0o666);
  writeAtomically(file, 'new');
  expect(statSync(file).mode & 0o777).toBe(0o666);
});

it('a read-only file is refused, by root too, and stays', () => {
  const file = join(folder, 'config.json');
  writeFileSync(file, 'old');
  chmodSync(file, 0o444);
  expect(() => writeAtomically(file, 'new')).toThrow(ReadOnlyFileError);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['config.json']);
});

it.skipIf(IS_WINDOWS)('a link stays a link', () => {
  const target = join(folder, 'dotfiles.json');
  const link = join(folder, 'config.json');
  writeFileSync(target, 'old');
  symlinkSync(target, link);
  writeAtomically(link, 'new');
  expect(readFileSync(target, 'utf8')).toBe('new');
  expect(readdirSync(folder).toSorted()).toEqual(['config.json', 'dotfiles.json']);
});

it.skipIf(IS_WINDOWS)(
  'a link to a file that is not there yet stays a link, and its target is written',
  () => {
    mkdirSync(join(folder, 'dotfiles'));
    symlinkSync(join('dotfiles', 'second'), join(folder, 'config.json'));
    symlinkSync('target.json', join(folder, 'dotfiles', 'second'));
    writeAtomically(join(folder, 'config.json'), 'new');
    expect(readlinkSync(join(folder, 'config.json'))).toBe(join('dotfiles', 'second'));
    expect(readFileSync(join(folder, 'dotfiles', 'target.json'), 'utf8')).toBe('new');
    expect(readdirSync(join(folder, 'dotfiles')).toSorted()).toEqual(['second', 'target.json']);
  },
);

it.skipIf(IS_WINDOWS)(
  'a link into a folder that is not there, and one that leads in a circle, are errors and stay',
  () => {
    symlinkSync(join(folder, 'gone', 'x'), join(folder, 'far'));
    symlinkSync('circle', join(folder, 'circle'));
    expect(() => writeAtomically(join(folder, 'far'), 'new')).toThrow('ENOENT');
    expect(() => writeAtomically(join(folder, 'circle'), 'new')).toThrow('ELOOP');
    expect(readdirSync(folder).toSorted()).toEqual(['circle', 'far']);
  },
);

it.skipIf((process.getuid?.() ?? 0) === 0)('where nothing can be written, nothing is left behind', () => {
  chmodSync(folder, 0o500);
  expect(() => writeAtomically(join(folder, 'x'), 'text')).toThrow('EACCES');
  expect(readdirSync(folder)).toEqual([]);
});

it('a place that is no folder is told', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => writeAtomically(join(folder, 'file', 'x'), 'text')).toThrow(/ENOTDIR|EEXIST/);
});

it('a copy never takes the place of another one', () => {
  const file = join(folder, 'config.json');
  const copies = ['one', 'two'].map((text) => {
    writeFileSync(file, text);
    return backUp(file, 0);
  });
  expect(copies.map((copy) => readFileSync(copy, 'utf8'))).toEqual(['one', 'two']);
  expect(copies[0]).toBe(`${file}.bak-mcpmux-19700101T000000Z`);
});

it('of many copies the first and the last four stay, and no other file goes', () => {
  const file = join(folder, 'config.json');
  const mine = `${file}.bak-mcpmux-mine`;
  writeFileSync(mine, 'of a person');
  for (let day = 0; day < 9; day += 1) {
    writeFileSync(file, `day ${day}`);
    backUp(file, day * 86_400_000);
  }
  const copies = readdirSync(folder).filter((name) => name.endsWith('Z'));
  expect(copies.toSorted().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(
    [0, 5, 6, 7, 8].map((day) => `day ${day}`),
  );
  expect(existsSync(mine)).toBe(true);
});
