import { fstatSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, expect, it } from 'vitest';

import { assertFreeDescriptors } from './descriptor-reserve.js';

const EMFILE = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });

describe('the file descriptors that a spawn needs', () => {
  it('are no problem in a process that has enough', () => {
    expect(() => assertFreeDescriptors()).not.toThrow();
  });

  it('fault A14: are missed before the spawn, and those that there were are free again', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'opened');
    writeFileSync(file, '');
    const opened: number[] = [];
    const open = (): number => {
      if (opened.length === 5) throw EMFILE;
      const descriptor = openSync(file, 'r');
      opened.push(descriptor);
      return descriptor;
    };
    expect(() => assertFreeDescriptors(open)).toThrow(EMFILE);
    expect(opened).toHaveLength(5);
    expect(opened.filter((descriptor) => isOpen(descriptor, file))).toEqual([]);
  });
});

/** Another thread of the tests may have got the number of a descriptor that was free again. */
function isOpen(descriptor: number, file: string): boolean {
  try {
    return fstatSync(descriptor).ino === statSync(file).ino;
  } catch {
    return false;
  }
}
