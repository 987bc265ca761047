import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { makeFolder } from './make-folder.js';

it('a folder is made with those above it, and may be there already', () => {
  const top = mkdtempSync(join(tmpdir(), 'mcpmux-folder-'));
  try {
    makeFolder(join(top, 'a', 'b'), 0o700);
    makeFolder(join(top, 'a', 'b'));
    writeFileSync(join(top, 'file'), '');
    expect(() => makeFolder(join(top, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(top, 'file', 'x'))).toThrow(/ENOTDIR|EEXIST/);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});

it.skipIf(process.platform === 'win32')('a folder has the permissions that are asked for', () => {
  const top = mkdtempSync(join(tmpdir(), 'mcpmux-folder-'));
  try {
    makeFolder(join(top, 'a', 'b'), 0o700);
    expect(statSync(join(top, 'a')).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});

it.skipIf(!existsSync('/proc/self'))('where the system allows no folders, that is an error at once', () => {
  expect(() => makeFolder('/proc/mcpmux/x')).toThrow('ENOENT');
});
