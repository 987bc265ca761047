import { describe, expect, it } from 'vitest';

import { summarize } from '../forwarding/summarize.js';
import { sampleCell } from '../testing/sample-report.js';
import { forwardingChart } from './chart.js';

describe('the chart', () => {
  it('has a bar and a number for every target of every payload with 32 calls in flight', async () => {
    const svg = await forwardingChart(
      summarize([
        sampleCell('byte-pipe', {}),
        sampleCell('mcpmux', { cpuMicrosPerCall: 13 }),
        sampleCell('sdk-v1-proxy', { cpuMicrosPerCall: 120 }),
        sampleCell('byte-pipe', { payload: '1m' }),
        sampleCell('mcpmux', { payload: '1m', cpuMicrosPerCall: 17 }),
        sampleCell('byte-pipe', { inFlight: 1 }),
        sampleCell('mcpmux', { inFlight: 1, cpuMicrosPerCall: 999 }),
      ]),
    );
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    for (const text of ['1.30 ×', '12 ×', '1.70 ×', '100 B', '1 MB', 'sdk-v1-proxy']) {
      expect(svg).toContain(`>${text}</text>`);
    }
    expect(svg).not.toContain('>99.9 ×</text>');
  });
});
