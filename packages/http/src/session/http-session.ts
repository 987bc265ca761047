import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

import type { ClientSession, Link } from '@mcpmux/core';

import { requestIds } from './body-kind.js';
import { callerKey, type Caller } from '../entrance/caller.js';
import { BoundedEventStore } from './event-store.js';
import { principalKey } from '../auth/credentials.js';
import type { FrontSession } from './front-session.js';
import type { HttpLimits } from './http-limits.js';
import { STANDALONE_STREAM } from './loss-notice.js';
import { OpenRequests, type OpenRequest } from './open-requests.js';
import { refuse } from '../entrance/refusal.js';
import { SessionTransport } from './session-transport.js';
import { webRequest } from './web-request.js';
import { sendWebResponse } from './web-response.js';

/** The time that a client is told to wait before it reopens a stream that has ended. */
const RECONNECT_AFTER_MS = 1000;

/** The dependencies of an {@link HttpSession}. */
export interface HttpSessionParts {
  /** Opens the session of the mux behind it. */
  readonly connect: (link: Link, caller: Caller) => ClientSession;
  readonly limits: HttpLimits;
  readonly now: () => number;
  /** The caller that may use the session. For any other caller, the session does not exist. */
  readonly caller: Caller;
  /** Called when the client was accepted. The session has an id from then on. */
  readonly onOpen: (session: HttpSession) => void;
  readonly onAnswer: (request: OpenRequest, answer: JSONRPCMessage) => void;
}

/** One MCP session over HTTP: a session of the mux, and the connections that its client has open for it. */
export class HttpSession implements FrontSession {
  readonly requests: OpenRequests;
  /** {@link principalKey} of its principal. */
  readonly principal: string;
  /** {@link callerKey} of its caller. */
  readonly caller: string;
  private readonly transport: WebStandardStreamableHTTPServerTransport;
  private readonly link: SessionTransport;
  private readonly store: BoundedEventStore;
  private readonly connections = new Set<ServerResponse>();
  private standalone: ServerResponse | undefined;
  private muxSession: ClientSession | undefined;
  private lastUsed: number;

  constructor(private readonly parts: HttpSessionParts) {
    const { limits, now, onAnswer } = parts;
    this.principal = principalKey(parts.caller.principal);
    this.caller = callerKey(parts.caller);
    this.lastUsed = now();
    this.requests = new OpenRequests(now);
    this.store = new BoundedEventStore(limits, now);
    this.transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(16).toString('hex'),
      onsessioninitialized: () => this.initialized(),
      eventStore: this.store,
      keepAliveMs: limits.keepAliveMs,
      retryInterval: RECONNECT_AFTER_MS,
    });
    this.link = new SessionTransport({ inner: this.transport, requests: this.requests, limits, onAnswer });
  }

  /** Undefined until the client was accepted. */
  get id(): string | undefined {
    return this.transport.sessionId;
  }

  /** Resolves when the session is over. */
  get closed(): Promise<void> {
    return this.muxSession?.closed ?? Promise.resolve();
  }

  /** The time since the client last sent a request or read a stream, in milliseconds. */
  get idleMs(): number {
    return this.connections.size > 0 || this.requests.size > 0 ? 0 : this.parts.now() - this.lastUsed;
  }

  /** Bytes that its client has not read yet. */
  get unreadBytes(): number {
    return [...this.connections].reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  /** Serves a request of its client. */
  async handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> {
    const ids = requestIds(body);
    if (new Set(ids).size < ids.length || ids.some((id) => this.requests.has(id))) {
      const message = 'A request with this id is in flight in this session, or twice in this batch.';
      return refuse(response, { status: 400, code: -32_600, message });
    }
    const resumes = request.method === 'GET' ? request.headers['last-event-id'] : undefined;
    const stream =
      typeof resumes === 'string' && resumes !== '' ? this.store.streamOf(resumes) : STANDALONE_STREAM;
    if (stream === undefined) {
      const message = 'This session has no event with this Last-Event-ID. Open the stream without it.';
      return refuse(response, { status: 400, message });
    }
    const isStandalone = request.method === 'GET' && stream === STANDALONE_STREAM;
    // The newer stream counts: the client has lost the older one, and mcpmux has not noticed yet.
    if (isStandalone) this.transport.closeStandaloneSSEStream();
    this.watch(response, ids);
    const answer = await this.transport.handleRequest(webRequest(request), { parsedBody: body });
    if (isStandalone && answer.status === 200) await this.standaloneOpened(response);
    await sendWebResponse(answer, response, this.parts.limits);
  }

  /** Ends the session. Requests in flight are answered, and queued messages are sent. */
  async close(): Promise<void> {
    await this.muxSession?.close();
    await this.transport.close();
  }

  private initialized(): void {
    this.muxSession = this.parts.connect(this.link, this.parts.caller);
    this.parts.onOpen(this);
  }

  private async standaloneOpened(response: ServerResponse): Promise<void> {
    this.standalone = response;
    response.once('close', () => {
      if (this.standalone !== response) return;
      this.standalone = undefined;
      this.link.standaloneClosed();
    });
    if (!response.destroyed) await this.link.standaloneOpened();
  }

  private watch(response: ServerResponse, ids: readonly RequestId[]): void {
    this.connections.add(response);
    response.once('close', () => {
      this.connections.delete(response);
      this.lastUsed = this.parts.now();
      for (const id of ids) this.requests.disconnected(id);
    });
  }
}
