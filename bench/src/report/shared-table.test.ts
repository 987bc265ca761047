import { expect, it } from 'vitest';

import { summarize } from '../forwarding/summarize.js';
import type { SharedReport } from '../shared/run-shared.js';
import { sampleCell, sampleReport } from '../testing/sample-report.js';
import { sharedGoals, sharedSection } from './shared-table.js';

const cells = [
  sampleCell('byte-pipe', { cpuMicrosPerCall: 4 }),
  sampleCell('shared', { cpuMicrosPerCall: 10, p50Ms: 1.5 }),
];
const SHARED: SharedReport = {
  rounds: 1,
  windowMs: 300,
  windows: 10,
  servers: 5,
  starts: 15,
  calls: { cells: summarize(cells), skipped: [], failures: [] },
  fleet: {
    shared: { processes: 16, rssBytes: 800e6 },
    unshared: { processes: 60, rssBytes: 3200e6 },
  },
  initializeMs: { shared: 40, unshared: 80 },
};

it('the goals of a shared process are to the byte pipe, and to windows without one', () => {
  expect(sharedGoals(sampleReport())).toEqual([]);
  expect(
    sharedGoals(sampleReport({ shared: SHARED })).map(({ measured, isMet }) => [measured, isMet]),
  ).toEqual([
    ['2.50 ×', false],
    ['1.50 ×', true],
    ['0.25 ×', true],
    ['0.50 ×', true],
  ]);
});

it('the table has both totals', () => {
  const text = sharedSection(SHARED, sampleReport().machine);
  expect(text).toContain('| without         |        60 |     3,200 MB |        80 ms |');
  expect(text).toContain('| with `--shared` |        16 |       800 MB |        40 ms |');
});
