import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, expect, it } from 'vitest';

import { usageReader, usagesOf } from './process-usage.js';

/** Writes one process as Linux shows it. */
async function process(root: string, id: number, group: number, ticks: number): Promise<void> {
  const folder = join(root, String(id));
  await mkdir(folder, { recursive: true });
  const rest = ['S', 1, group, group, 0, -1, 0, 0, 0, 0, 0, ticks - 1, 1, 0].join(' ');
  await writeFile(join(folder, 'stat'), `${id} (a) b (c) ${rest}`);
  await writeFile(join(folder, 'status'), 'Name:\tx\nVmRSS:\t    2048 kB\nThreads:\t1\n');
}

describe('on Linux', () => {
  it('the usage of a server is that of its process group, and the processor time is the difference of two samples', async () => {
    await using folder = await temporaryFolder();
    const root = folder.path;
    await process(root, 7, 7, 100);
    await process(root, 8, 7, 50);
    await process(root, 9, 9, 10);
    await mkdir(join(root, '10'));
    let time = 0;
    const read = usageReader('linux', root, () => time);
    expect((await read()).get(7)).toEqual({ bytes: 4 * 1024 * 1024 });
    await process(root, 8, 7, 100);
    time = 1000;
    const usages = await read();
    expect(usages.get(7)).toEqual({ cpu: 50, bytes: 4 * 1024 * 1024 });
    expect(usages.get(9)).toEqual({ cpu: 0, bytes: 2 * 1024 * 1024 });
  });

  it('there is none where processes cannot be read', async () => {
    expect(await usageReader('linux', '/nowhere')()).toEqual(new Map());
  });
});

it('elsewhere, lines of ps are added up by process group', () => {
  expect(usagesOf('  7  1024   1.5\n  7 1024 0.5\n 9 0 0.0\n\nnonsense\n')).toEqual(
    new Map([
      [7, { cpu: 2, bytes: 2 * 1024 * 1024 }],
      [9, { cpu: 0, bytes: 0 }],
    ]),
  );
});

it('on Windows, which has no process groups, there is none', async () => {
  expect(await usageReader('win32')()).toEqual(new Map());
});
