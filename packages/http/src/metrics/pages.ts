import type { ServerResponse } from 'node:http';
import process from 'node:process';

import type { ServerStatus } from '@mcpmux/core';

import { expositionText, EXPOSITION_TYPE, metric, type Metric } from './exposition.js';
import type { FrontMetrics } from './front-metrics.js';

/** A metric that the host adds to `/metrics`. */
export interface HostFigure {
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

/** The data for the pages. */
export interface PageSources {
  /** The servers that are visible to all clients. */
  readonly sharedServers: () => readonly ServerStatus[];
  /** All servers, including those of workspaces and sessions. */
  readonly allServers: () => readonly ServerStatus[];
  /** Returns false until the config has been read. */
  readonly isConfigured: () => boolean;
  readonly isEnding: () => boolean;
  readonly counts: () => { readonly open: number; readonly inFlight: number; readonly unreadBytes: number };
  readonly metrics: FrontMetrics;
  /** More metrics, from the host. */
  readonly figures?: (() => readonly HostFigure[]) | undefined;
}

const SERVER_STATES = ['starting', 'running', 'crashed', 'idle', 'failed'] as const;
const RESTART_STATES = ['waiting', 'given-up', 'trying'] as const;

/** The text at `/`, for browsers. It names no server, because it is served without a token. */
const ROOT_TEXT = `mcpmux: an MCP server with other MCP servers behind it.

/mcp       MCP over Streamable HTTP, for clients
/healthz   whether the process runs
/readyz    whether servers run
/metrics   metrics for Prometheus
`;

/** Serves `/`, `/healthz`, `/readyz` and `/metrics`. Returns false for any other path. */
export function servePage(path: string, response: ServerResponse, sources: PageSources): boolean {
  switch (path) {
    case '/':
      sendText(response, 200, ROOT_TEXT);
      return true;
    case '/healthz':
      sendText(response, 200, 'ok\n');
      return true;
    case '/readyz': {
      const reason = whyNotReady(sources);
      sendText(response, reason === undefined ? 200 : 503, `${reason ?? 'ready'}\n`);
      return true;
    }
    case '/metrics':
      sendText(
        response,
        200,
        expositionText([...stateMetrics(sources), ...hostMetrics(sources), ...sources.metrics.metrics()]),
        EXPOSITION_TYPE,
      );
      return true;
    default:
      return false;
  }
}

/** Returns the reason why mcpmux is not ready. It names no server, because the page requires no token. */
function whyNotReady({ sharedServers, isConfigured, isEnding }: PageSources): string | undefined {
  if (isEnding()) return 'ending';
  if (!isConfigured()) return 'reading the config';
  const all = sharedServers();
  if (all.some(({ status }) => status === 'starting')) return 'servers are starting';
  return all.length === 0 || all.some(({ status }) => status === 'running' || status === 'idle')
    ? undefined
    : 'no server runs';
}

function stateMetrics({ allServers, counts }: PageSources): readonly Metric[] {
  const all = allServers();
  const { open, inFlight, unreadBytes } = counts();
  const states = SERVER_STATES.map((state) => ({
    labels: { state },
    value: all.filter(({ status }) => status === state).length,
  }));
  const restartStates = RESTART_STATES.map((state) => ({
    labels: { state },
    value: all.filter((server) => server.restart_state === state).length,
  }));
  const restarts = all.reduce((sum, server) => sum + server.restarts, 0);
  return [
    gauge('mcpmux_servers', 'Servers by state.', states),
    gauge('mcpmux_servers_restarting', 'Crashed servers, by the state of their restarts.', restartStates),
    gauge('mcpmux_server_restarts', 'Restarts of the registered servers.', restarts),
    gauge('mcpmux_sessions', 'Open sessions over HTTP.', open),
    gauge('mcpmux_requests_in_flight', 'Requests of clients that are not answered yet.', inFlight),
    gauge('mcpmux_queue_bytes', 'Bytes that clients have not read yet.', unreadBytes),
    gauge('process_resident_memory_bytes', 'Resident memory of mcpmux itself.', process.memoryUsage.rss()),
  ];
}

function hostMetrics({ figures }: PageSources): readonly Metric[] {
  return (figures?.() ?? []).map(({ name, help, value }) => gauge(name, help, value));
}

function gauge(name: string, help: string, samples: Metric['samples'] | number): Metric {
  return metric('gauge', name, help, typeof samples === 'number' ? [{ value: samples }] : samples);
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
