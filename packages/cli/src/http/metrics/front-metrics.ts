import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import type { OpenRequest } from '../open-requests.js';
import type { Metric } from './exposition.js';
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
const OTHER = 'other';

/** What a front counts. Labels are of closed sets: nothing that a client makes up becomes one. */
export class FrontMetrics {
  private opened = 0;
  private readonly requests = new CounterSeries();
  private readonly durations = new HistogramSeries();
  private readonly calls = new CounterSeries();
  private readonly servers = new Set<string>();

  constructor(
    private readonly now: () => number,
    /** The server whose tool is called by that name. */
    private readonly serverOf: (tool: string) => string | undefined,
  ) {}

  sessionOpened(): void {
    this.opened += 1;
  }

  answered({ method, name, startedAt }: OpenRequest, answer: JSONRPCMessage): void {
    const label = METHODS.has(method) ? method : OTHER;
    const outcome = outcomeOf(answer);
    this.requests.add({ method: label, outcome });
    this.durations.observe({ method: label }, (this.now() - startedAt) / 1000);
    if (method === 'tools/call') this.calls.add({ server: this.serverLabel(name), outcome });
  }

  metrics(): readonly Metric[] {
    return [
      counter('mcpmux_sessions_opened_total', 'Sessions opened over HTTP.', [{ value: this.opened }]),
      counter('mcpmux_requests_total', 'Requests of clients that were answered.', this.requests.samples()),
      counter('mcpmux_tool_calls_total', 'Calls of tools that were answered.', this.calls.samples()),
      {
        name: 'mcpmux_request_duration_seconds',
        help: 'From a request of a client to its answer.',
        type: 'histogram',
        samples: this.durations.samples(),
      },
    ];
  }

  private serverLabel(tool: string | undefined): string {
    const server = tool === undefined ? undefined : this.serverOf(tool);
    if (server === undefined) return OTHER;
    if (!this.servers.has(server) && this.servers.size >= MAX_SERVERS) return OTHER;
    this.servers.add(server);
    return server;
  }
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples };
}

function outcomeOf(answer: JSONRPCMessage): 'ok' | 'error' | 'tool_error' {
  if ('error' in answer) return 'error';
  return 'result' in answer && answer.result['isError'] === true ? 'tool_error' : 'ok';
}
