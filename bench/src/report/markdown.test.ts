import { describe, expect, it } from 'vitest';

import { sampleCell, sampleReport } from '../testing/sample-report.js';
import { toMarkdown } from './markdown.js';

const CURVE = {
  name: 'servers',
  label: 'servers',
  metrics: [{ key: 'cpu', label: 'CPU per call', unit: 'µs' }],
  points: [
    { size: 1, values: { cpu: 20 } },
    { size: 1000, values: { cpu: 25 } },
  ],
} as const;

const CELLS = [
  sampleCell('direct', { callsPerSecond: 2000, cpuMicrosPerCall: null, rssBytes: null }),
  sampleCell('byte-pipe', {}),
  sampleCell('mcpmux', { callsPerSecond: 900, cpuMicrosPerCall: 15 }),
];

describe('a report for readers', () => {
  it('says what it was measured on', () => {
    expect(toMarkdown(sampleReport())).toBe(
      'Measured on 2026-01-31: 2 cores of Test CPU, 8 GB, linux 6.1 x64, Node.js v20.19.0; ' +
        '9 rounds of 300 ms, 200 s in all, load average before: 0.10, 0.4 % of CPU time stolen.\n',
    );
  });

  it('says how many windows ran on a core that was shared', () => {
    const slow = sampleCell('mcpmux', { cyclesPerTurn: 6 });
    expect(toMarkdown(sampleReport({}, [...CELLS, slow]))).toContain(
      '0.4 % of CPU time stolen, 25.0 % of windows begun or ended on a shared core.\n',
    );
  });

  it('shows the byte pipe in absolute numbers and the others as multiples of it', () => {
    const text = toMarkdown(sampleReport({}, CELLS)).replaceAll(/ +/g, ' ');
    expect(text).toContain('| 32 | byte-pipe | 1,000 | 1 ms | 2 ms | 10 µs | 50 MB |');
    expect(text).toContain('| 32 | mcpmux | 0.90 × | 1.00 × | 1.00 × | 1.50 × | 1.00 × |');
    expect(text).toContain('| 32 | direct (no process in the middle) | 2.00 × | 1.00 × | 1.00 × | – | – |');
  });

  it('names what was left out and what has failed', () => {
    const forwarding = {
      cells: [],
      skipped: [{ target: 'mcp-hub', payload: '1m', inFlight: 256 }],
      failures: [{ target: 'mcp-proxy', payload: '10k', reason: 'does not become ready' }],
    } as const;
    const text = toMarkdown(sampleReport({ forwarding }));
    expect(text).toContain('mcp-hub at 1 MB with 256 in flight');
    expect(text).toContain('- mcp-proxy, 10 KB: does not become ready');
  });

  it('ends each curve with its growth', () => {
    const text = toMarkdown(sampleReport({ scale: [CURVE] })).replaceAll(/ +/g, ' ');
    expect(text).toContain('| 1,000 | 25 |\n| growth | 1.25 × |');
  });

  it('has no goals in a smoke run, whose numbers mean nothing', () => {
    const text = toMarkdown(sampleReport({ isSmoke: true }, CELLS));
    expect(text).toContain('its numbers mean nothing');
    expect(text).not.toContain('## Goals');
  });
});
