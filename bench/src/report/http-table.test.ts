import { format } from 'prettier';
import { expect, it } from 'vitest';

import { ratios } from '../http/run-http.js';
import { sampleReport } from '../testing/sample-report.js';
import { httpSection } from './http-table.js';

const figures = { calls: 100, callsPerSecond: 1000, p50Ms: 1, p99Ms: 2, cpuMicrosPerCall: 10, rssBytes: 5e7 };
const slower = { ...figures, callsPerSecond: 500, p99Ms: 6, cpuMicrosPerCall: 25, rssBytes: 6e7 };
const samples = { relay: [figures, figures], mcpmux: [slower, slower] };

it('shows the relay in absolute numbers, mcpmux as multiples of it, and what was left open', async () => {
  const report = {
    sessions: 200,
    rounds: 2,
    windowMs: 5000,
    samples,
    ratio: ratios(samples),
    left: { sessions: 0, descriptors: 3 },
  };
  const text = httpSection(report, sampleReport().machine);
  expect(text).toContain(
    '200 sessions on the loopback interface, each with one call in flight, 10 s in 2 rounds',
  );
  expect(text).toMatch(/`node:http` relay +\| +1,000 \| +1 ms \| +2 ms \| +10 µs \| +50 MB/);
  expect(text).toMatch(/`mcpmux serve --http` +\| +0.50 × \| +1.00 × \| +3.00 × \| +2.50 × \| +1.20 ×/);
  expect(text).toContain('0 sessions and 3 descriptors more than before were open');
  expect(await format(text, { parser: 'markdown' })).toBe(text);
});

it('gives the ratio of the same round, and of these the one in the middle', () => {
  const at = (callsPerSecond: number) => ({ ...figures, callsPerSecond });
  const relay = [at(1000), at(2000), at(3000)];
  const mcpmux = [at(500), at(500), at(1500)];
  expect(ratios({ relay, mcpmux }).callsPerSecond).toBe(0.5);
});
