import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { INSTANCE_HEADER, messageOf } from '@mcpmux/core';
import { PendingTable } from '@mcpmux/wire';

import { allowedHosts, allowedOrigins, urlHost } from './entrance/allowed-hosts.js';
import {
  hostRefusal,
  identityOf,
  type EntranceRules,
  type Identity,
  answerPreflight,
  setCorsHeaders,
} from './entrance/entrance.js';
import { FailedAttempts } from './auth/failed-attempts.js';
import type { ResourceMetadata } from './auth/resource-metadata.js';
import { mcpRouteOf, type McpRoute } from './entrance/caller.js';
import { RequestHeaders, requestTarget } from './entrance/request-headers.js';
import type { HttpLimits } from './session/http-limits.js';
import { closeConnections, whenClosed, countConnections, stopListening } from './server-end.js';
import { HttpSessions } from './session/http-sessions.js';
import { ModernPosts, type HandleMessage } from './modern/modern-posts.js';
import type { EndpointParts } from './endpoint/endpoint-parts.js';
import type { Admitted } from './entrance/admitted.js';
import { LargeBodyGate, BodyReader } from './endpoint/read-body.js';
import { McpEndpoint } from './endpoint/mcp-endpoint.js';
import { refuse, type Refusal } from './entrance/refusal.js';
import type { HttpFrontOptions } from './front-options.js';
import { notFoundRefusal } from './entrance/served-paths.js';
import { SseEndpoint } from './sse/sse-endpoint.js';

/** A front's address, and the clients that it serves. */
export interface FrontServerOptions
  extends
    Required<Pick<HttpFrontOptions, 'host' | 'port' | 'allowHosts' | 'allowOrigins'>>,
    Pick<HttpFrontOptions, 'credentials' | 'sse' | 'mounted' | 'mountedOnly'> {
  /** The resource metadata for clients. Present if an external authorization server issues the tokens. */
  readonly metadata?: ResourceMetadata | undefined;
  readonly limits: HttpLimits;
}

/** The dependencies of a {@link FrontServer}. */
export interface FrontServerParts extends Omit<EndpointParts, 'limits' | 'sessions' | 'bodies' | 'modern'> {
  readonly handleMessage: HandleMessage;
  /** The id of the mux behind this front. A request with this id comes from that mux and is rejected as a loop. */
  readonly instanceId: string;
  /** Serves the health and metrics pages. Returns false for any other path. */
  readonly servePage: (path: string, response: ServerResponse) => boolean;
}

/**
 * Pages that require no token, because supervisors check the health and people open the root in a browser. They reveal
 * only that this is mcpmux and whether it is healthy.
 */
const PUBLIC_PAGES: ReadonlySet<string> = new Set(['/', '/healthz', '/readyz']);

const REQUEST_LOOP: Refusal = {
  status: 508,
  message: 'This url leads back to the mcpmux that sends the request. Remove the server from its config.',
};

const MAX_HEADER_BYTES = 16 * 1024;
const CONNECTION_CHECK_INTERVAL_MS = 5000;
const KEEP_ALIVE_TIMEOUT_MS = 5000;
const SWEEP_INTERVAL_MS = 5000;

/** Serves many clients over HTTP, with or without sessions. */
export class FrontServer {
  readonly sessions: HttpSessions;
  private readonly modernPosts: ModernPosts;
  private readonly server: Server;
  private readonly mcpEndpoint: McpEndpoint;
  private readonly sseEndpoint: SseEndpoint | undefined;
  private rules: EntranceRules;
  private readonly allowedPorts = new Set<number>();
  private readonly sweepTimer: NodeJS.Timeout;
  /** The incomplete responses to POST requests. */
  private readonly openPostResponses = new PendingTable<ServerResponse, ServerResponse>();
  /** Connections that other fronts have passed on to this one. */
  private readonly acceptedSockets = new WeakSet<object>();

  constructor(
    private readonly options: FrontServerOptions,
    private readonly parts: FrontServerParts,
  ) {
    const { limits, credentials, metadata } = options;
    this.sessions = new HttpSessions(limits);
    const bodies = new BodyReader({ limits, largeBodyGate: new LargeBodyGate() });
    this.modernPosts = new ModernPosts(parts.handleMessage, limits, parts.now, parts.metrics);
    const endpointParts = { ...parts, limits, sessions: this.sessions, modern: this.modernPosts, bodies };
    this.mcpEndpoint = new McpEndpoint(endpointParts);
    this.sseEndpoint = options.sse === true ? new SseEndpoint(endpointParts) : undefined;
    const failedAttempts = new FailedAttempts(parts.now);
    this.rules = { hosts: new Set(), origins: new Set(), credentials, failedAttempts, metadata };
    this.server = createServer(
      {
        headersTimeout: limits.headersTimeoutMs,
        requestTimeout: limits.requestTimeoutMs,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        connectionsCheckingInterval: Math.min(CONNECTION_CHECK_INTERVAL_MS, limits.headersTimeoutMs),
        maxHeaderSize: MAX_HEADER_BYTES,
        keepAlive: true,
        keepAliveInitialDelay: limits.keepAliveMs,
      },
      (request, response) => this.handleRequest(request, response),
    );
    this.server.maxConnections = limits.maxConnections;
    const sweepMs = Math.min(SWEEP_INTERVAL_MS, limits.sessionIdleMs);
    this.sweepTimer = setInterval(() => this.sessions.endIdleSessions(), sweepMs).unref();
  }

  /** Starts listening. Resolves to the URL for clients. Rejects if the address is in use. */
  async listen(): Promise<string> {
    const { host, port: wanted } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(wanted, host, () => resolve());
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
    const { port } = this.server.address() as AddressInfo;
    this.allowPort(port);
    return `http://${urlHost(host)}:${port}/mcp`;
  }

  /** Serves a connection that another front has passed on to this one. */
  accept(connection: Duplex): void {
    this.acceptedSockets.add(connection);
    this.server.emit('connection', connection);
  }

  /** The number of open sessions, of requests in flight, and of bytes that clients have not read. */
  get counts(): HttpSessions['counts'] {
    const [{ open, ...inSessions }, sessionless] = [this.sessions.counts, this.modernPosts.counts];
    return {
      open,
      inFlight: inSessions.inFlight + sessionless.inFlight,
      unreadBytes: inSessions.unreadBytes + sessionless.unreadBytes,
    };
  }

  /** Resolves to the number of open connections. */
  connectionCount(): Promise<number> {
    return countConnections(this.server);
  }

  /** Rejects new sessions and new requests, waits for the requests in flight, then closes all connections. */
  async drain(waitAtMost: (event: Promise<unknown>) => Promise<unknown>): Promise<void> {
    clearInterval(this.sweepTimer);
    this.mcpEndpoint.refuseNewRequests();
    this.sseEndpoint?.refuseNewRequests();
    await stopListening(this.server);
    await Promise.all([this.sessions.drain(waitAtMost), this.modernPosts.drain(waitAtMost)]);
    // The open responses include responses from other fronts, and error responses that have not been sent yet.
    await waitAtMost(Promise.all([...this.openPostResponses.values()].map(whenClosed)));
    await closeConnections(this.server);
  }

  /** Accepts one more port in the `Host` header. */
  allowPort(port: number): void {
    if (this.allowedPorts.has(port)) return;
    this.allowedPorts.add(port);
    const { host, allowHosts, allowOrigins } = this.options;
    const hosts = new Set([...this.rules.hosts, ...allowedHosts({ host, port, extraHosts: allowHosts })]);
    this.rules = { ...this.rules, hosts, origins: allowedOrigins(hosts, allowOrigins) };
  }

  handleRequest(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', ignoreError);
    request.on('error', ignoreError);
    if (request.method === 'POST') {
      this.openPostResponses.add(response, response);
      response.once('close', () => this.openPostResponses.take(response));
    }
    try {
      void this.serve(request, response)?.catch((error: unknown) => this.reportFailure(response, error));
    } catch (error) {
      this.reportFailure(response, error);
    }
  }

  private reportFailure(response: ServerResponse, error: unknown): void {
    const problem = messageOf(error);
    // A client that disconnects during its request is not an error.
    if (!response.destroyed) this.parts.logger.log('error', 'a request over HTTP failed', { problem });
    refuse(response, {
      status: 500,
      code: -32_603,
      message: 'Internal error. The log of mcpmux has the details.',
    });
  }

  private serve(request: IncomingMessage, response: ServerResponse): Promise<void> | void {
    const { rules } = this;
    const url = requestTarget(request);
    if (url === undefined)
      return refuse(response, { status: 400, message: 'The request target is not a path.' });
    const headers = new RequestHeaders(request.rawHeaders);
    const isHostChecked = this.acceptedSockets.has(request.socket);
    const refusal = isHostChecked ? undefined : hostRefusal(headers, rules);
    if (refusal !== undefined) return refuse(response, refusal);
    if (headers.get(INSTANCE_HEADER) === this.parts.instanceId) return refuse(response, REQUEST_LOOP);
    const { pathname } = url;
    const { mounted, mountedOnly } = this.options;
    // Served before the CORS headers are set, so that other origins cannot read these pages.
    if (mounted !== undefined && isBelow(pathname, mounted.path)) return mounted.serve(request, response);
    if (mountedOnly === true)
      return refuse(response, { status: 404, message: 'Only pages are served here.' });
    setCorsHeaders(headers.get('origin'), response);
    if (request.method === 'OPTIONS') return answerPreflight(request, response);
    if (PUBLIC_PAGES.has(pathname) && request.method === 'GET')
      return void this.parts.servePage(pathname, response);
    if (request.method === 'GET' && rules.metadata?.serve(pathname, response) === true) return;
    const entranceRequest = { headers, url, sourceAddress: () => request.socket.remoteAddress };
    const identity = identityOf(entranceRequest, rules);
    const requestParts = { request, response, headers };
    if (identity instanceof Promise) return identity.then((known) => this.admit(requestParts, url, known));
    return this.admit(requestParts, url, identity);
  }

  private admit(requestParts: Omit<Admitted, 'caller'>, url: URL, identity: Identity): Promise<void> | void {
    const { response } = requestParts;
    // A client that disconnected during the token check must not open a session. Its response has emitted `close`.
    if (response.destroyed) return;
    if ('refusal' in identity) return refuse(response, identity.refusal);
    const { path, workspace } = mcpRouteOf(url.pathname) ?? {};
    return this.route({ ...requestParts, caller: { ...identity, workspace } }, url, path);
  }

  /** Routes an admitted request to the handler for its path. */
  private route(admitted: Admitted, url: URL, path: McpRoute['path'] | undefined): Promise<void> | void {
    const { request, response } = admitted;
    const joinPromise = path && this.parts.peers?.joining?.();
    if (joinPromise !== undefined)
      return joinPromise.then(() => (response.destroyed ? undefined : this.route(admitted, url, path)));
    if (path === 'mcp') return this.mcpEndpoint.serve(admitted);
    if (this.sseEndpoint !== undefined && path !== undefined)
      return this.sseEndpoint.serve(admitted, path, url.searchParams.get('sessionId'));
    if (request.method === 'GET' && this.parts.servePage(url.pathname, response)) return;
    refuse(response, notFoundRefusal(path !== undefined, this.sseEndpoint !== undefined));
  }
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}

/** Errors are ignored here, because a broken connection also emits `close`. */
const ignoreError = (): void => undefined;
