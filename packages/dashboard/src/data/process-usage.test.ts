import { expect, it } from 'vitest';

import { ProcessUsage, procRow, psRow, type ProcessRow } from './process-usage.js';

it('a row of /proc is read, whatever the program is called', () => {
  const stat =
    '42 (a) b (x) S 7 42 42 0 -1 4194304 0 0 0 0 150 50 0 0 20 0 11 0 100 1000 25 18446744073709551615';
  expect(procRow(stat)).toEqual({ pid: 42, parent: 7, cpuSeconds: 2, memoryBytes: 25 * 4096 });
});

it.each([
  ['   42     7  1024   0:02.50', 2.5],
  ['42 7 1024 01:02:03', 3723],
  ['42 7 1024 1-00:00:01', 86_401],
])('the line %j of ps is read', (line, cpuSeconds) => {
  expect(psRow(line)).toEqual({ pid: 42, parent: 7, memoryBytes: 1024 * 1024, cpuSeconds });
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
  now = 4999;
  expect((await usage.of([10])).get(10)).not.toHaveProperty('cpuPercent');
  now = 5000;
  rows[3] = { pid: 12, parent: 11, memoryBytes: 7, cpuSeconds: 1.5 };
  expect(await usage.of([10])).toEqual(new Map([[10, { processes: 3, memoryBytes: 18, cpuPercent: 10 }]]));
});
