import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FileLockedError, withFileLock } from './file-lock.js';

const TIMES = { waitMs: 5_000, staleMs: 5_000 };
/** No process has this id: it is above the highest that Linux and macOS give. */
const ENDED = 4_194_305;
let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-lock-'));
  file = join(folder, 'config.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Reads, gives way to others, and writes one more. */
async function addOne(path: string): Promise<void> {
  const before = Number(readFileSync(path, 'utf8'));
  await setImmediate();
  writeFileSync(path, String(before + 1));
}

it('of changes at once, each sees what the one before has written, and no lock is left', async () => {
  writeFileSync(file, '0');
  // On Windows, links need a right that most users lack.
  const link = process.platform === 'win32' ? file : join(folder, 'link.json');
  if (link !== file) symlinkSync(file, link);
  const paths = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? file : link));
  await Promise.all(paths.map((path) => withFileLock(path, () => addOne(path), TIMES)));
  expect(readFileSync(file, 'utf8')).toBe('20');
  expect(readdirSync(folder).toSorted()).toEqual([...new Set(['config.json', basename(link)])]);
});

it('a lock is given back when the work fails', async () => {
  await expect(withFileLock(file, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(readdirSync(folder)).toEqual([]);
});

describe('a lock that was left behind', () => {
  it('by a process that has ended counts for nothing, however many come at once', async () => {
    writeFileSync(file, '0');
    writeFileSync(`${file}.lock`, `${ENDED} ${hostname()} x`);
    const many = Array.from({ length: 10 }, () => withFileLock(file, () => addOne(file), TIMES));
    await Promise.all(many);
    expect(readFileSync(file, 'utf8')).toBe('10');
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('by somebody who is not known counts for nothing once it is old', async () => {
    writeFileSync(`${file}.lock`, `${ENDED} elsewhere x`);
    writeFileSync(`${file}.lock.stale`, 'x');
    for (const name of [`${file}.lock`, `${file}.lock.stale`]) utimesSync(name, 0, 0);
    expect(await withFileLock(file, () => 'done', TIMES)).toBe('done');
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('a lock of somebody else is waited for, and then told', async () => {
  writeFileSync(`${file}.lock`, `${ENDED} elsewhere x`);
  const held = withFileLock(file, () => 'done', { ...TIMES, waitMs: 1 });
  await expect(held).rejects.toThrow(FileLockedError);
  expect(readdirSync(folder)).toEqual(['config.json.lock']);
});
