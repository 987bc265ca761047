import type { IncomingMessage, ServerResponse } from 'node:http';

import type { ClientSession, Link, Logger } from '@mcpmux/core';

import type { Caller } from './caller.js';
import type { HttpLimits } from './http-limits.js';
import { HttpSession } from './http-session.js';
import type { HttpSessions } from './http-sessions.js';
import type { FrontMetrics } from './metrics/front-metrics.js';
import { readBody } from './read-body.js';
import { refuse, type Refusal } from './refusal.js';

/** What a {@link McpEndpoint} works with. */
export interface McpEndpointParts {
  readonly connect: (link: Link, caller: Caller) => ClientSession;
  readonly logger: Logger;
  readonly now: () => number;
  readonly limits: HttpLimits;
  readonly sessions: HttpSessions;
  readonly metrics: FrontMetrics;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);
const NO_METHOD: Refusal = {
  status: 405,
  message: 'MCP is served by POST, GET and DELETE.',
  headers: { allow: 'GET, POST, DELETE' },
};
const NO_SESSION: Refusal = {
  status: 404,
  message: 'There is no such session; it has ended or never was. Send initialize without Mcp-Session-Id.',
  code: -32_001,
};
const NEEDS_SESSION: Refusal = {
  status: 400,
  message: 'The header Mcp-Session-Id is missing. Only initialize is sent without.',
};
const FULL: Refusal = {
  status: 503,
  message: 'All sessions are taken. Try again later, or end a session with DELETE.',
  headers: { 'retry-after': '10' },
};
const ENDING: Refusal = {
  status: 503,
  message: 'mcpmux is ending.',
  headers: { 'retry-after': '1', connection: 'close' },
};

/** The path at which MCP is served: brings each request to its session, and opens sessions. */
export class McpEndpoint {
  private isEnding = false;

  constructor(private readonly parts: McpEndpointParts) {}

  /** From now on nothing new is begun. What is in flight can still be answered by clients that were asked. */
  stop(): void {
    this.isEnding = true;
  }

  async serve(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    if (!METHODS.has(request.method ?? '')) return refuse(response, NO_METHOD);
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.parts.sessions.find(id, caller) : undefined;
    if (id !== undefined && session === undefined) return refuse(response, NO_SESSION);
    if (request.method !== 'POST') {
      if (session === undefined) return refuse(response, NEEDS_SESSION);
      return session.handle(request, response);
    }
    const body = await readBody(request, this.parts.limits.maxBodyBytes);
    if ('refusal' in body) return refuse(response, body.refusal);
    if (this.isEnding && asks(body.json)) return refuse(response, ENDING);
    if (session !== undefined) return session.handle(request, response, body.json);
    if (!isInitialize(body.json)) return refuse(response, NEEDS_SESSION);
    if (!this.parts.sessions.hasPlace(caller.principal)) return refuse(response, FULL);
    return this.newSession(caller).handle(request, response, body.json);
  }

  private newSession(caller: Caller): HttpSession {
    const { connect, limits, now, metrics, logger, sessions } = this.parts;
    return new HttpSession({
      connect,
      limits,
      now,
      caller,
      onOpen: (session) => {
        sessions.add(session);
        metrics.sessionOpened();
        logger.log('debug', 'a client has opened a session over HTTP', { sessions: sessions.size });
      },
      onAnswer: (request, answer) => metrics.answered(request, answer),
    });
  }
}

function isInitialize(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';
}

/** Whether a body asks for something, and does not only answer or tell. */
function asks(body: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.some(
    (message) => typeof message === 'object' && message !== null && 'method' in message && 'id' in message,
  );
}
