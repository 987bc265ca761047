import { fstatSync, openSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { checkDescriptors } from './descriptor-reserve.js';

const EMFILE = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });

describe('the file descriptors that a spawn needs', () => {
  it('are no problem in a process that has enough', () => {
    expect(() => checkDescriptors()).not.toThrow();
  });

  it('fault A14: are missed before the spawn, and those that there were are free again', () => {
    const opened: number[] = [];
    const open = (path: string): number => {
      if (opened.length === 5) throw EMFILE;
      const descriptor = openSync(path, 'r');
      opened.push(descriptor);
      return descriptor;
    };
    expect(() => checkDescriptors(open)).toThrow(EMFILE);
    expect(opened).toHaveLength(5);
    for (const descriptor of opened) expect(() => fstatSync(descriptor)).toThrow('EBADF');
  });
});
