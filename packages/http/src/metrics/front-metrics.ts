import type { Mux, MuxEventMap } from '@mcpmux/core';
import { readMessage, valuePaths, valueSpans } from '@mcpmux/wire';
import type { OpenRequest } from '../session/open-requests.js';
import { metric, type Metric } from './exposition.js';
import { CounterSeries, HistogramSeries } from './series.js';

/**
 * Methods that have their own series. All others share one, because clients can send any number of different methods.
 */
const LABELED_METHODS: ReadonlySet<string> = new Set([
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
  'server/discover',
  'subscriptions/listen',
]);

/** The maximum number of servers that have their own series, because agents can add any number of servers. */
const MAX_SERVERS = 256;
const OTHER_METHODS_LABEL = 'other';
/** The label that all other servers share. No server can have this name. */
const OTHER_SERVERS_LABEL = '__other__';
/** The label for all servers that are visible only to some clients. No server can have this name. */
const PRIVATE_SERVERS_LABEL = '__private__';

/** A front's counters. Labels come from bounded sets, so clients cannot create new ones. */
export class FrontMetrics {
  private openedSessions = 0;
  private readonly requestCounts = new CounterSeries();
  private readonly requestDurations = new HistogramSeries();
  private readonly callCounts = new CounterSeries();
  private readonly callDurations = new HistogramSeries();
  private readonly labeledServers = new Set<string>();

  constructor(private readonly now: () => number) {}

  recordOpenedSession(): void {
    this.openedSessions += 1;
  }

  /** Counts a client's request to which a server or mcpmux itself has responded. */
  recordAnswer({ method, startedAt }: Pick<OpenRequest, 'method' | 'startedAt'>, answer: Buffer): void {
    const label = LABELED_METHODS.has(method) ? method : OTHER_METHODS_LABEL;
    this.requestCounts.increment({ method: label, outcome: outcomeOf(answer) });
    this.requestDurations.observe({ method: label }, (this.now() - startedAt) / 1000);
  }

  /** Counts a tool call that has ended. */
  recordCall({ server, ms, ending }: Pick<MuxEventMap['call:end'], 'server' | 'ms' | 'ending'>): void {
    const label = this.serverLabel(server);
    this.callCounts.increment({ server: label, ending });
    this.callDurations.observe({ server: label }, ms / 1000);
  }

  metrics(): readonly Metric[] {
    const requestSeconds = this.requestDurations.samples();
    const callSeconds = this.callDurations.samples();
    return [
      metric('counter', 'mcpmux_sessions_opened_total', 'Sessions opened over HTTP.', [
        { value: this.openedSessions },
      ]),
      metric(
        'counter',
        'mcpmux_requests_total',
        'Requests of clients that were answered.',
        this.requestCounts.samples(),
      ),
      metric('histogram', 'mcpmux_request_duration_seconds', 'Time to the answer.', requestSeconds),
      metric('counter', 'mcpmux_tool_calls_total', 'Tool calls that have ended.', this.callCounts.samples()),
      metric(
        'histogram',
        'mcpmux_tool_call_duration_seconds',
        'Time from a tool call to its end.',
        callSeconds,
      ),
    ];
  }

  private serverLabel(server: string): string {
    if (!this.labeledServers.has(server) && this.labeledServers.size >= MAX_SERVERS)
      return OTHER_SERVERS_LABEL;
    this.labeledServers.add(server);
    return server;
  }
}

/** Starts counting a mux's calls by server label. Returns a function that stops the counting. */
export function countCalls(
  mux: Pick<Mux, 'on' | 'listServers'>,
  metrics: Pick<FrontMetrics, 'recordCall'>,
): () => void {
  const labels = new ServerLabels(mux);
  const unsubscribe = mux.on('call:end', (call) => {
    const { ms, ending } = call;
    metrics.recordCall({ server: labels.labelFor(call), ms, ending });
  });
  return () => {
    unsubscribe();
    labels.close();
  };
}

/** The server names that metrics may contain. Only servers visible to every client are included. */
export class ServerLabels {
  private sharedNames: ReadonlySet<string> | undefined;
  private readonly unsubscribers: readonly (() => void)[];

  constructor(private readonly mux: Pick<Mux, 'on' | 'listServers'>) {
    this.unsubscribers = [
      mux.on('server:added', () => (this.sharedNames = undefined)),
      mux.on('server:removed', () => (this.sharedNames = undefined)),
    ];
  }

  /**
   * Returns the label for a call's server. The name of a server without a layer is visible to every client, even if the
   * server was removed during the call. A session instance has the name of its template.
   */
  labelFor({ server, layer }: Pick<MuxEventMap['call:end'], 'server' | 'layer'>): string {
    if (layer === undefined) return server;
    this.sharedNames ??= new Set(this.mux.listServers().map(({ name }) => name));
    return this.sharedNames.has(server) ? server : PRIVATE_SERVERS_LABEL;
  }

  /** Unsubscribes from the mux's events. */
  close(): void {
    for (const unsubscribe of this.unsubscribers) unsubscribe();
  }
}

/** A request's outcome. */
type Outcome = 'ok' | 'error' | 'tool_error';

const IS_ERROR_PATH = valuePaths([['isError']]);
const JSON_TRUE = 'true';
/** Matches the usual beginning of a response that has a result, and therefore no error. */
const RESULT_PREFIX = /^\{(?:"jsonrpc":"2\.0",|"id":(?:-?\d+|"[^"\\]*"),)*"result":/;
const RESULT_PREFIX_BYTES = 96;
/** The two parts of `"isError"`. The search looks for the second part, because it begins with a rarer character. */
const [BEFORE, SEARCHED] = ['"is', 'Error"'];

/** Returns a response's outcome. Most lines contain neither `error` nor `isError` and are not parsed. */
export function outcomeOf(line: Buffer): Outcome {
  if ((hasResult(line) || !line.includes('"error"')) && !mentionsIsError(line)) return 'ok';
  const message = readMessage(line, []);
  if (message.kind !== 'response') return 'ok';
  if (message.error !== undefined) return 'error';
  const { result } = message;
  const found = result && valueSpans(line, result, IS_ERROR_PATH).at(-1)?.span;
  return found && line.toString('latin1', found.start, found.end) === JSON_TRUE ? 'tool_error' : 'ok';
}

/** True if a response certainly has a result. Searching a result with many quotes for `"error"` would be slow. */
export function hasResult(line: Buffer): boolean {
  return RESULT_PREFIX.test(line.toString('latin1', 0, RESULT_PREFIX_BYTES));
}

/**
 * True if a line contains `"isError"`. Searching for the whole text would stop at every quotation mark. Data can
 * contain so many of them that the search would take longer than parsing.
 */
function mentionsIsError(line: Buffer): boolean {
  for (let at = line.indexOf(SEARCHED); at !== -1; at = line.indexOf(SEARCHED, at + 1)) {
    if (line.toString('latin1', at - BEFORE.length, at) === BEFORE) return true;
  }
  return false;
}
