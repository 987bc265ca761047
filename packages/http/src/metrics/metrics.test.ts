import { isServerName } from '@mcpmux/namespace';
import { describe, expect, it } from 'vitest';

import type { OpenRequest } from '../session/open-requests.js';
import { expositionText } from './exposition.js';
import { FrontMetrics } from './front-metrics.js';

const REQUEST: OpenRequest = {
  id: '1',
  method: 'tools/call',
  progressToken: undefined,
  startedAt: 0,
  connection: undefined,
};

function answer(fields: object): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...fields })}\n`);
}

function text(metrics: FrontMetrics): string {
  return expositionText(metrics.metrics());
}

describe('FrontMetrics', () => {
  it('counts requests by method and outcome, and how long they took', () => {
    const metrics = new FrontMetrics(() => 250);
    metrics.recordAnswer(REQUEST, answer({ result: {} }));
    metrics.recordAnswer(REQUEST, answer({ result: { isError: true } }));
    metrics.recordAnswer(REQUEST, answer({ error: { code: 1, message: 'no' } }));
    const lines = text(metrics).split('\n');
    for (const outcome of ['ok', 'tool_error', 'error']) {
      expect(lines).toContain(`mcpmux_requests_total{method="tools/call",outcome="${outcome}"} 1`);
    }
    expect(lines).toContain('mcpmux_request_duration_seconds_bucket{method="tools/call",le="0.1"} 0');
    expect(lines).toContain('mcpmux_request_duration_seconds_bucket{method="tools/call",le="0.5"} 3');
    expect(lines).toContain('mcpmux_request_duration_seconds_sum{method="tools/call"} 0.75');
  });

  it('counts calls by server and ending', () => {
    const metrics = new FrontMetrics(() => 0);
    metrics.recordCall({ server: 'gh', ms: 2000, ending: 'result' });
    const lines = text(metrics).split('\n');
    expect(lines).toContain('mcpmux_tool_calls_total{server="gh",ending="result"} 1');
    expect(lines).toContain('mcpmux_tool_call_duration_seconds_sum{server="gh"} 2');
  });

  it('what clients make up becomes no label, and servers that come and go only so many', () => {
    const metrics = new FrontMetrics(() => 0);
    for (let made = 0; made < 1000; made += 1) {
      metrics.recordAnswer({ ...REQUEST, method: `x/${made}` }, answer({ result: {} }));
      metrics.recordCall({ server: `server-${made}`, ms: 1, ending: 'result' });
    }
    expect(text(metrics)).toContain('mcpmux_requests_total{method="other",outcome="ok"} 1000');
    expect(text(metrics)).not.toContain('x/');
    expect(text(metrics).match(/^mcpmux_tool_calls_total/gm)).toHaveLength(257);
  });

  it('servers that are told apart no more have a label that is the name of no server', () => {
    const metrics = new FrontMetrics(() => 0);
    for (const server of ['other', ...Array.from({ length: 256 }, (_, made) => `server-${made}`)]) {
      metrics.recordCall({ server, ms: 1, ending: 'result' });
    }
    const labels = [...text(metrics).matchAll(/^mcpmux_tool_calls_total\{server="([^"]+)"/gm)];
    const notNames = labels.flatMap(([, label = '']) => (isServerName(label) ? [] : [label]));
    expect([labels.length, notNames]).toEqual([257, ['__other__']]);
  });
});

describe('exposition', () => {
  it('escapes what would end a label or a line', () => {
    const samples = [{ labels: { name: 'a"b\\c\nd' }, value: 1 }];
    expect(expositionText([{ name: 'm', help: 'Help.', type: 'gauge', samples }])).toBe(
      '# HELP m Help.\n# TYPE m gauge\nm{name="a\\"b\\\\c\\nd"} 1\n',
    );
  });
});
