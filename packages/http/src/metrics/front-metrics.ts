import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import type { MuxEventMap } from '@mcpmux/core';

import type { OpenRequest } from '../session/open-requests.js';
import { metric, type Metric } from './exposition.js';
import { CounterSeries, HistogramSeries } from './series.js';

/** Methods that have series of their own; clients can make up any number of others. */
const METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
]);

/** Servers that have series of their own: names can be given and taken for as long as mcpmux runs. */
const MAX_SERVERS = 256;
const OTHER_METHODS = 'other';
/** No server can have that name. */
const OTHER_SERVERS = '__other__';

/** What a front counts. Labels are of closed sets: nothing that a client makes up becomes one. */
export class FrontMetrics {
  private opened = 0;
  private readonly requests = new CounterSeries();
  private readonly durations = new HistogramSeries();
  private readonly calls = new CounterSeries();
  private readonly callDurations = new HistogramSeries();
  private readonly servers = new Set<string>();

  constructor(private readonly now: () => number) {}

  sessionOpened(): void {
    this.opened += 1;
  }

  /** A request of a client was answered, by a server or by mcpmux itself. */
  answered({ method, startedAt }: OpenRequest, answer: JSONRPCMessage): void {
    const label = METHODS.has(method) ? method : OTHER_METHODS;
    this.requests.add({ method: label, outcome: outcomeOf(answer) });
    this.durations.observe({ method: label }, (this.now() - startedAt) / 1000);
  }

  /** A call of a tool has ended, whoever made it. */
  callEnded({ server, ms, ending }: MuxEventMap['call:end']): void {
    const label = this.serverLabel(server);
    this.calls.add({ server: label, ending });
    this.callDurations.observe({ server: label }, ms / 1000);
  }

  metrics(): readonly Metric[] {
    const requestSeconds = this.durations.samples();
    const callSeconds = this.callDurations.samples();
    return [
      metric('counter', 'mcpmux_sessions_opened_total', 'Sessions opened over HTTP.', [
        { value: this.opened },
      ]),
      metric(
        'counter',
        'mcpmux_requests_total',
        'Requests of clients that were answered.',
        this.requests.samples(),
      ),
      metric('histogram', 'mcpmux_request_duration_seconds', 'From a request to its answer.', requestSeconds),
      metric('counter', 'mcpmux_tool_calls_total', 'Calls of tools that have ended.', this.calls.samples()),
      metric(
        'histogram',
        'mcpmux_tool_call_duration_seconds',
        'What servers take for calls of their tools.',
        callSeconds,
      ),
    ];
  }

  private serverLabel(server: string): string {
    if (!this.servers.has(server) && this.servers.size >= MAX_SERVERS) return OTHER_SERVERS;
    this.servers.add(server);
    return server;
  }
}

function outcomeOf(answer: JSONRPCMessage): 'ok' | 'error' | 'tool_error' {
  if ('error' in answer) return 'error';
  return 'result' in answer && answer.result['isError'] === true ? 'tool_error' : 'ok';
}
