import { describe, expect, it } from 'vitest';

import type { CallsOf, GatewayReport } from '../gateways/gateway-report.js';
import { FULL_COMPARISON } from '../gateways/gateway-options.js';
import { stdioGateway } from '../gateways/gateway-spec.js';
import { sampleReport } from '../testing/sample-report.js';
import { gatewaySection } from './gateway-tables.js';

function calls(gateway: string, callsPerSecond: readonly number[]): CallsOf {
  const rounds = callsPerSecond.map((one) => ({
    calls: 100,
    callsPerSecond: one,
    p50Ms: 1000 / one,
    p99Ms: 1,
    cpuMicrosPerCall: 10,
    rssBytes: 50_000_000,
  }));
  return { gateway, payload: '100b', inFlight: 1, rounds };
}

const REPORT: GatewayReport = {
  options: {
    ...FULL_COMPARISON,
    gateways: ['byte-pipe=pipe {server}', 'fast@1.2=run {config}', 'slow=run {config}'].map(stdioGateway),
    scenarios: ['calls', 'start', 'idle'],
    payloads: ['100b'],
  },
  calls: [calls('byte-pipe', [1000, 100, 900]), calls('fast', [500, 50, 450])],
  starts: [{ gateway: 'fast', startMs: 123.4 }],
  changes: [],
  windows: [],
  idle: [{ gateway: 'fast', wakeUpsPerSecond: 0.5, cpuShare: 0.00042 }],
  leftOut: [
    { gateway: 'slow', scenario: 'calls', reason: 'run /tmp/x.json ended (1)\nno such file\nat once' },
  ],
};

describe('the comparison of gateways', () => {
  const text = gatewaySection(REPORT, sampleReport({}).machine);

  it('has the floor in absolute numbers, and the others as multiples of it in the same round', () => {
    expect(text).toMatch(/\| +1 \| byte-pipe +\| +900 \| 1.11 ms \|/);
    expect(text).toMatch(/\| +1 \| fast +\| +0.50 × \| +2.00 × \|/);
  });

  it('has a row for each gateway of which something else is known, and the versions of all', () => {
    expect(text).toContain('Versions: fast 1.2.\n');
    expect(text).toMatch(/\| fast +\| +123 ms \| +– \|.*\| +0.5 \| +0.042 % \|/);
    expect(text).not.toMatch(/\| slow/);
  });

  it('says why a gateway is left out, without its command', () => {
    expect(text).toContain('- slow, calls: no such file\n');
  });
});
