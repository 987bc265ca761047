import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { tryCreateFile } from './exclusive-file.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mcpmux-exclusive-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a file is made once', () => {
  const file = join(folder, 'lock');
  expect(tryCreateFile(file, 'one')).toBe(true);
  expect(tryCreateFile(file, 'two')).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('one');
});

it('a file whose text cannot be written, as on a full disk, does not stay', () => {
  const file = join(folder, 'lock');
  const full = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  expect(() => tryCreateFile(file, 'one', full)).toThrow('no space left');
  expect(existsSync(file)).toBe(false);
});
