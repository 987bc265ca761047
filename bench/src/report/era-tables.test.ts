import { expect, it } from 'vitest';

import { sampleCell, sampleReport } from '../testing/sample-report.js';
import { eraSection, hasEras } from './era-tables.js';

const CELLS = [
  sampleCell('byte-pipe', { cpuMicrosPerCall: 10 }),
  sampleCell('modern-byte-pipe', { cpuMicrosPerCall: 12 }),
  sampleCell('modern-on-modern', { cpuMicrosPerCall: 18 }),
];

it('the modern era is compared with the byte pipe that has the same messages', () => {
  const { forwarding } = sampleReport({}, CELLS);
  if (!hasEras(forwarding)) throw new Error('no eras');
  const section = eraSection(forwarding, 'Measured.\n');
  expect(section).toContain('## Eras and bridges');
  expect(section).toMatch(/to the byte pipe with the same messages: 1\.5\d* × with 32 in flight/);
});

it('a run of the other targets has no part about eras', () => {
  expect(hasEras(sampleReport({}, CELLS.slice(0, 1)).forwarding)).toBe(false);
  expect(hasEras(null)).toBe(false);
});
