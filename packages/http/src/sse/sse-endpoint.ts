import type { ServerResponse } from 'node:http';

import { MESSAGES_PATH, type Caller, type McpRoute } from '../entrance/caller.js';
import { isJsonType } from '../entrance/request-headers.js';
import { registerSession, type EndpointParts } from '../endpoint/endpoint-parts.js';
import { passToPeer } from '../endpoint/pass-to-peer.js';
import type { Admitted } from '../entrance/admitted.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import {
  SHUTTING_DOWN,
  TOO_MANY_SSE_SESSIONS,
  UNKNOWN_SSE_SESSION,
  TOO_MUCH_UNREAD,
} from '../session/session-refusals.js';
import { SseSession } from './sse-session.js';

type SsePath = Exclude<McpRoute['path'], 'mcp'>;

const METHOD_NOT_ALLOWED: Readonly<Record<SsePath, Refusal>> = {
  sse: createRefusal(405, 'The stream is opened by GET. Streamable HTTP is served at /mcp.', {
    allow: 'GET',
  }),
  messages: createRefusal(405, 'Messages are sent by POST.', { allow: 'POST' }),
};
const MISSING_SESSION_ID = createRefusal(
  400,
  'The sessionId is missing. The stream at /sse begins with the URL for messages.',
);
const NOT_JSON = createRefusal(415, 'Messages are sent as application/json.');
const NOT_A_MESSAGE: Refusal = {
  ...createRefusal(400, 'The body is not a JSON-RPC message.'),
  code: -32_600,
};
const DUPLICATE_REQUEST_ID: Refusal = {
  ...createRefusal(400, 'A request with this id is in flight in this session.'),
  code: -32_600,
};

/**
 * The two paths of the 2024-11-05 transport. One opens a session and its stream. Clients post messages to the other.
 */
export class SseEndpoint {
  private isEnding = false;

  constructor(private readonly parts: EndpointParts) {}

  /** From now on, rejects new streams and new requests. */
  refuseNewRequests(): void {
    this.isEnding = true;
  }

  async serve(admitted: Admitted, path: SsePath, sessionId: string | null): Promise<void> {
    const { request, response, caller } = admitted;
    if (request.method !== (path === 'sse' ? 'GET' : 'POST'))
      return refuse(response, METHOD_NOT_ALLOWED[path]);
    if (path === 'sse') return this.openSession(response, caller);
    if (sessionId === null) return refuse(response, MISSING_SESSION_ID);
    const session = this.parts.sessions.find(sessionId, caller);
    const pendingConnection = session === undefined ? this.parts.peers?.connect(sessionId) : undefined;
    if (pendingConnection !== undefined) return passToPeer(admitted, pendingConnection, this.parts.limits);
    if (!(session instanceof SseSession)) return refuse(response, UNKNOWN_SSE_SESSION);
    const outcome = await this.passToSession(admitted, session);
    if (outcome === 'passed') response.writeHead(202).end();
    else if (outcome !== 'gone') refuse(response, outcome);
  }

  private openSession(response: ServerResponse, caller: Caller): void {
    if (this.isEnding) return refuse(response, SHUTTING_DOWN);
    if (!this.parts.sessions.makeRoom(caller.principal)) return refuse(response, TOO_MANY_SSE_SESSIONS);
    const { workspace } = caller;
    const endpointPath = workspace === undefined ? MESSAGES_PATH : `${MESSAGES_PATH}/${workspace}`;
    registerSession(new SseSession(this.parts, response, caller, endpointPath), this.parts);
  }

  /** Passes a message to its session. Resolves to an error response, or to `gone` if the client has disconnected. */
  private async passToSession(admitted: Admitted, session: SseSession): Promise<Refusal | 'passed' | 'gone'> {
    if (!isJsonType(admitted.headers.get('content-type') ?? '')) return NOT_JSON;
    const body = await this.parts.bodies.read(admitted);
    if (body === undefined) return 'gone';
    if ('refusal' in body) return body.refusal;
    const [message] = body.messages;
    if (message === undefined || body.isBatch) return NOT_A_MESSAGE;
    if (message.kind === 'request' && this.isEnding) return SHUTTING_DOWN;
    if (message.kind === 'request' && session.requests.has(message.id)) return DUPLICATE_REQUEST_ID;
    if (session.isPaused) return TOO_MUCH_UNREAD;
    session.receive(message);
    return 'passed';
  }
}

function createRefusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return { status, message, headers };
}
