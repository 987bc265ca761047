import { expect, it } from 'vitest';

import { ratioTo } from '../measure/ratio.js';
import { sampleReport } from '../testing/sample-report.js';
import { goals } from './goals.js';
import { httpSection } from './http-table.js';

const figures = { calls: 100, callsPerSecond: 1000, p50Ms: 1, p99Ms: 2, cpuMicrosPerCall: 10, rssBytes: 5e7 };
const slower = { ...figures, callsPerSecond: 500, p99Ms: 6, cpuMicrosPerCall: 25, rssBytes: 6e7 };
const [relay, muxed] = [
  [figures, figures],
  [slower, slower],
];
const cell = {
  era: 'legacy',
  payload: '100b',
  sessions: 200,
  inFlight: 1,
  relay,
  fronts: [{ front: 'mcpmux', rounds: muxed, ratio: ratioTo(relay, muxed) }],
} as const;
const http = {
  sessions: 200,
  eras: ['legacy', 'modern'],
  payloads: ['100b'],
  rounds: 2,
  windowMs: 5000,
  fronts: ['mcpmux'],
  idleSessions: 800,
  cells: [cell],
  leftOut: [],
  left: { sessions: 0, descriptors: 3 },
  idleSessionBytes: 12_345,
} as const;

it('shows the relay in absolute numbers, mcpmux as multiples of it, and what was left open', () => {
  const text = httpSection(http, sampleReport().machine);
  expect(text).toContain('one process behind each front. ');
  expect(text).toMatch(
    /2025-06-18 \| 100 B +\| +200 × 1 \| `node:http` relay +\| +1,000 \| +1 ms \| +2 ms \| +10 µs \| +50 MB/,
  );
  expect(text).toMatch(/`mcpmux serve --http` +\| +0.50 × \| +1.00 × \| +3.00 × \| +2.50 × \| +1.20 ×/);
  expect(text).toContain('Each of the 200 calls through mcpmux had its own answer');
  expect(text).toContain('0 sessions and 3 descriptors more than before were open');
  expect(text).toContain('An idle session with an open stream holds 12.3 KB (of 800)');
});

it('gives the ratio of the same round, and of these the one in the middle', () => {
  const at = (callsPerSecond: number) => ({ ...figures, callsPerSecond });
  const floor = [at(1000), at(2000), at(3000)];
  const measured = [at(500), at(500), at(1500)];
  expect(ratioTo(floor, measured).callsPerSecond).toBe(0.5);
});

it('shows mcpmux as a multiple of each other front in the same round', () => {
  const before = { front: 'mcpmux:/before', rounds: relay, ratio: ratioTo(relay, relay) } as const;
  const text = httpSection(
    { ...http, cells: [{ ...cell, fronts: [...cell.fronts, before] }] },
    sampleReport().machine,
  );
  expect(text).toMatch(/200 × 1 \| mcpmux:\/before +\| +0.50 × \| +1.00 × \| +3.00 × \| +2.50 ×/);
  expect(httpSection(http, sampleReport().machine)).not.toContain('other front');
});

it('says which front could not serve which clients, and the first line of why', () => {
  const leftOut = [
    { front: 'mcp-proxy', era: 'modern', payload: '100b', reason: 'HTTP status 400\nmore' },
  ] as const;
  const text = httpSection({ ...http, leftOut }, sampleReport().machine);
  expect(text).toContain('- left out: mcp-proxy, 2026-07-28, 100 B: HTTP status 400\n');
});

it('has goals of their own for clients without a session', () => {
  const modern = { ...cell, era: 'modern' } as const;
  const found = goals(sampleReport({ http: { ...http, cells: [modern] } }));
  expect(found.map(({ what }) => what)).toEqual([
    'CPU per call of many requests without a session over HTTP, to the relay',
    'calls/s of many requests without a session over HTTP, to the relay',
    'p99 of many requests without a session over HTTP, to the relay',
    'memory of an idle session over HTTP, with an open stream',
  ]);
});

it('has goals for the load that is furthest from them, and for the memory of a session', () => {
  const ratio = { ...cell.fronts[0].ratio, cpuMicrosPerCall: 1.5, callsPerSecond: 0.8 };
  const better = { ...cell, fronts: [{ ...cell.fronts[0], ratio }] };
  const found = goals(sampleReport({ http: { ...http, cells: [better, cell] } }));
  expect(found.map(({ what, measured, isMet }) => [what, measured, isMet])).toEqual([
    ['CPU per call of many sessions over HTTP, to the relay', '2.50 ×', false],
    ['calls/s of many sessions over HTTP, to the relay', '0.50 ×', false],
    ['p99 of many sessions over HTTP, to the relay', '3.00 ×', false],
    ['memory of an idle session over HTTP, with an open stream', '12.3 KB', true],
  ]);
});
