import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { hasLiveMember, supervisedGroup } from './process-group.js';

/** A /proc that holds these `stat` files. */
async function procWith(stats: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [pid, stat] of Object.entries(stats)) {
    await mkdir(join(folder.path, pid));
    await writeFile(join(folder.path, pid, 'stat'), stat);
  }
  return folder;
}

describe('a process group', () => {
  it.each<[string, Readonly<Record<string, string>>, boolean | undefined]>([
    ['F13: has no live member when all are zombies', { 7: '7 (a) Z 1 7 7 0', 8: '8 (b) Z 1 7 7 0' }, false],
    ['has one when one of them runs', { 7: '7 (a) Z 1 7 7 0', 8: '8 (b) S 1 7 7 0' }, true],
    ['counts a process that is stopped', { 8: '8 (b) T 1 7 7 0' }, true],
    ['does not count the processes of other groups', { 7: '7 (a) Z 1 7 7 0', 9: '9 (c) R 1 9 9 0' }, false],
    ['is not misled by the name of a program', { 8: '8 (x) Z 1 9 9) S 1 7 7 0' }, true],
    ['is unknown when nobody is in it', { 9: '9 (c) R 1 9 9 0' }, undefined],
    ['is unknown where stat files cannot be read', { self: '7 (a) R 1 7 7 0', 8: 'nonsense' }, undefined],
  ])('%s', async (_, stats, expected) => {
    await using folder = await procWith(stats);
    expect(hasLiveMember(7, folder.path)).toBe(expected);
  });

  it('is unknown where there is no /proc', () => {
    expect(hasLiveMember(7, '/no/such/folder')).toBeUndefined();
  });
});

it('SIGTERM passes over the leader that watches, and over processes of other groups', async () => {
  await using folder = await procWith({
    7: '7 (bwrap) S 1 7 7 0',
    8: '8 (server) S 7 7 7 0',
    9: '9 (other) S 1 9 9 0',
    10: '10 (child) S 8 7 7 0',
  });
  const sent: number[] = [];
  supervisedGroup(7, folder.path, (pid) => void sent.push(pid)).signal('SIGTERM');
  expect(sent.toSorted((a, b) => a - b)).toEqual([8, 10]);
});
