import type { IncomingMessage, ServerResponse } from 'node:http';

import { asks, isInitialize } from '../session/body-kind.js';
import type { Caller } from '../entrance/caller.js';
import { noteOpened, type EndpointParts } from './endpoint-parts.js';
import { HttpSession } from '../session/http-session.js';
import { readBody } from './read-body.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import { ENDING, FULL, NO_SESSION } from '../session/session-refusals.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);
const NO_METHOD: Refusal = {
  status: 405,
  message: 'MCP is served by POST, GET and DELETE.',
  headers: { allow: 'GET, POST, DELETE' },
};
const NEEDS_SESSION: Refusal = {
  status: 400,
  message: 'The header Mcp-Session-Id is missing. Only initialize is sent without this header.',
};

/** The MCP endpoint: passes each request to its session, and opens sessions. */
export class McpEndpoint {
  private isEnding = false;

  constructor(private readonly parts: EndpointParts) {}

  /** Refuses new requests from now on. Clients can still answer the server requests in flight. */
  stop(): void {
    this.isEnding = true;
  }

  async serve(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    if (!METHODS.has(request.method ?? '')) return refuse(response, NO_METHOD);
    const id = request.headers['mcp-session-id'];
    const found = typeof id === 'string' ? this.parts.sessions.find(id, caller) : undefined;
    const session = found instanceof HttpSession ? found : undefined;
    if (id !== undefined && session === undefined) return refuse(response, NO_SESSION);
    if (request.method !== 'POST') {
      if (session === undefined) return refuse(response, NEEDS_SESSION);
      return session.handle(request, response);
    }
    const body = await readBody(request, this.parts);
    if ('refusal' in body) return refuse(response, body.refusal);
    if (this.isEnding && asks(body.json)) return refuse(response, ENDING);
    if (session !== undefined) return session.handle(request, response, body.json);
    if (!isInitialize(body.json)) return refuse(response, NEEDS_SESSION);
    if (!this.parts.sessions.hasPlace(caller.principal)) return refuse(response, FULL);
    return this.newSession(caller).handle(request, response, body.json);
  }

  private newSession(caller: Caller): HttpSession {
    const { connect, limits, now, metrics } = this.parts;
    return new HttpSession({
      connect,
      limits,
      now,
      caller,
      onOpen: (session) => noteOpened(session, this.parts),
      onAnswer: (request, answer) => metrics.answered(request, answer),
    });
  }
}
