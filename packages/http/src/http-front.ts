import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { guarded, nullLogger, systemClock, type Mux } from '@mcpmux/core';

import { ResourceMetadata } from './auth/resource-metadata.js';
import { isLoopback } from './entrance/allowed-hosts.js';
import { refuse } from './entrance/refusal.js';
import { connectOptions } from './entrance/caller.js';
import type { HttpFrontOptions } from './front-options.js';
import { FrontServer } from './front-server.js';
import { DEFAULT_HTTP_LIMITS } from './session/http-limits.js';
import { messageHandlerFor } from './modern/modern-posts.js';
import { countCalls, FrontMetrics } from './metrics/front-metrics.js';
import { servePage, type PageSources } from './metrics/pages.js';

/** Serves many clients over Streamable HTTP. */
export interface HttpFront extends AsyncDisposable {
  /** Starts listening. Resolves to the URL for clients. Rejects if the address is in use. */
  listen(): Promise<string>;
  /**
   * Serves a request that the host's own server has received, whose body must not have been read yet. Without
   * `credentials` or `insecure`, the request must come from this machine.
   */
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Serves a connection passed on by another front ({@link FrontPeers}), which has already checked `Host`. */
  accept(connection: Duplex): void;
  /**
   * Rejects new sessions and new requests, waits up to `limits.drainMs` for requests in flight, and closes every
   * connection. The mux continues to run.
   */
  close(): Promise<void>;
}

const NO_CREDENTIALS = {
  status: 403,
  message: 'Without credentials, only this machine is served.',
};
const CONSUMED_BODY = { status: 500, message: 'A body parser has read the body before the front of mcpmux.' };

/** Thrown if a front cannot be created. */
export class HttpFrontError extends Error {
  override readonly name = 'HttpFrontError';
  /** Set if other machines could reach the address although credentials are not required. */
  readonly code = 'CREDENTIALS_REQUIRED';
}

/**
 * Creates an HTTP front for a mux. It serves MCP at `/mcp` and `/mcp/{workspace}`, health at `/healthz` and `/readyz`,
 * and metrics at `/metrics`.
 *
 * @throws HttpFrontError if other machines can reach `host` but neither `credentials` nor `insecure` is set
 */
export function createHttpFront(mux: Mux, options: HttpFrontOptions = {}): HttpFront {
  const { host = '127.0.0.1', port = 0, credentials, resource, insecure, isolated, sse = false } = options;
  const isLocalOnly = credentials === undefined && insecure !== true;
  if (isLocalOnly && !isLoopback(host))
    throw new HttpFrontError(`Every client that reaches ${host} could start programs: pass credentials.`);
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const now = systemClock.now.bind(systemClock);
  const metrics = new FrontMetrics(now);
  const { mountedOnly = false } = options;
  const stopCounting = mountedOnly ? () => undefined : countCalls(mux, metrics);
  let isEnding = false;
  const { mounted, allowHosts = [], allowOrigins = [] } = options;
  const { logger = nullLogger, isConfigured = () => true } = options;
  const metadata = resource && new ResourceMetadata(resource);
  const server = new FrontServer(
    { host, port, allowHosts, allowOrigins, credentials, metadata, limits, sse, mounted, mountedOnly },
    {
      instanceId: mux.instanceId,
      openMuxSession: (link, caller) => mux.connect(link, connectOptions(caller, isolated)),
      handleMessage: messageHandlerFor(mux, isolated),
      logger: guarded(logger),
      now,
      metrics,
      peers: options.peers,
      servePage: (path, response) => servePage(path, response, sources),
    },
  );
  const sources: PageSources = {
    sharedServers: () => mux.listServers(),
    allServers: () => mux.listServers({ everywhere: true }),
    isConfigured,
    isEnding: () => isEnding,
    counts: () => server.counts,
    metrics,
    figures: options.figures,
  };
  const close = async (): Promise<void> => {
    isEnding = true;
    await server.drain((event) => waitAtMost(limits.drainMs, event));
    stopCounting();
  };
  const serve: HttpFront['serve'] = (request, response) => {
    server.allowPort(request.socket.localPort ?? 0);
    if (request.readableEnded) return refuse(response, CONSUMED_BODY);
    if (isLocalOnly && isFromOutside(request)) return refuse(response, NO_CREDENTIALS);
    server.handleRequest(request, response);
  };
  const accept = (connection: Duplex): void => server.accept(connection);
  return { listen: () => server.listen(), serve, accept, close, [Symbol.asyncDispose]: close };
}

function isFromOutside({ socket: { localAddress = '' } }: IncomingMessage): boolean {
  return !isLoopback(localAddress.replace('::ffff:', ''));
}

async function waitAtMost(limitMs: number, event: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, limitMs)));
  await Promise.race([event, late]);
  clearTimeout(timer);
}
