import process from 'node:process';

import { expect, it, vi } from 'vitest';

import { pageBytesOf, ProcessUsage, parseProcRow, parsePsRow, type ProcessRow } from './process-usage.js';

const STAT =
  '42 (a) b (x) S 7 42 42 0 -1 4194304 0 0 0 0 150 50 0 0 20 0 11 0 100 1000 25 18446744073709551615';

it.each([4096, 16_384])(
  'a row of /proc is read, whatever the program is called, with pages of %i bytes',
  (page) => {
    expect(parseProcRow(STAT, page)).toEqual({ pid: 42, parent: 7, cpuSeconds: 2, memoryBytes: 25 * page });
  },
);

it.each([4096, 16_384, 65_536])(
  'a process tells that pages have %i bytes, also while it gets more of them',
  (page) => {
    expect([24, 25, 26].map((pages) => pageBytesOf(STAT, pages * page))).toEqual([page, page, page]);
  },
);

// There is no table on Windows that can be read cheaply.
it.skipIf(process.platform === 'win32')('the memory of this process is what the system says', async () => {
  const usage = (await new ProcessUsage(Date.now).of([process.pid])).get(process.pid);
  expect(usage?.memoryBytes).toBeGreaterThan(process.memoryUsage.rss() * 0.7);
});

it('the table is not read again for a process that it does not have', async () => {
  let now = 0;
  const table = vi.fn<() => Promise<readonly ProcessRow[]>>(() => Promise.resolve([]));
  const usage = new ProcessUsage(() => now, table);
  for (now = 0; now < 10_000; now += 2000) await usage.of([7]);
  expect(table).toHaveBeenCalledTimes(1);
  await usage.of([7, 8]);
  expect(table).toHaveBeenCalledTimes(2);
});

it.each([
  ['   42     7  1024   0:02.50', 2.5],
  ['42 7 1024 01:02:03', 3723],
  ['42 7 1024 1-00:00:01', 86_401],
])('the line %j of ps is read', (line, cpuSeconds) => {
  expect(parsePsRow(line)).toEqual({ pid: 42, parent: 7, memoryBytes: 1024 * 1024, cpuSeconds });
});

it('the usage of a server is that of its whole process tree', async () => {
  let now = 0;
  const rows: ProcessRow[] = [
    { pid: 1, parent: 0, memoryBytes: 100, cpuSeconds: 50 },
    { pid: 10, parent: 1, memoryBytes: 5, cpuSeconds: 1 },
    { pid: 11, parent: 10, memoryBytes: 6, cpuSeconds: 1 },
    { pid: 12, parent: 11, memoryBytes: 7, cpuSeconds: 1 },
    { pid: 20, parent: 1, memoryBytes: 8, cpuSeconds: 1 },
  ];
  const usage = new ProcessUsage(
    () => now,
    () => Promise.resolve(rows),
  );
  expect(await usage.of([10, 99])).toEqual(new Map([[10, { processes: 3, memoryBytes: 18 }]]));
  now = 9999;
  expect((await usage.of([10])).get(10)).not.toHaveProperty('cpuPercent');
  now = 10_000;
  rows[3] = { pid: 12, parent: 11, memoryBytes: 7, cpuSeconds: 1.5 };
  expect(await usage.of([10])).toEqual(new Map([[10, { processes: 3, memoryBytes: 18, cpuPercent: 5 }]]));
});
