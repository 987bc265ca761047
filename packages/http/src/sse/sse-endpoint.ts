import type { ServerResponse } from 'node:http';

import { MESSAGES_PATH, type Caller, type McpPlace } from '../entrance/caller.js';
import { isJson } from '../entrance/request-headers.js';
import { noteOpened, type EndpointParts } from '../endpoint/endpoint-parts.js';
import { passToPeer } from '../endpoint/pass-to-peer.js';
import type { Admitted } from '../entrance/admitted.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import { ENDING, FULL_OF_STREAMS, NO_STREAM, UNREAD } from '../session/session-refusals.js';
import { SseSession } from './sse-session.js';

type SsePath = Exclude<McpPlace['path'], 'mcp'>;

const NO_METHOD: Readonly<Record<SsePath, Refusal>> = {
  sse: refused(405, 'The stream is opened by GET. Streamable HTTP is served at /mcp.', { allow: 'GET' }),
  messages: refused(405, 'Messages are sent by POST.', { allow: 'POST' }),
};
const NEEDS_SESSION = refused(
  400,
  'The sessionId is missing. The stream at /sse begins with the URL for messages.',
);
const NO_JSON = refused(415, 'Messages are sent as application/json.');
const NO_MESSAGE: Refusal = { ...refused(400, 'The body is not a JSON-RPC message.'), code: -32_600 };
const SAME_ID: Refusal = {
  ...refused(400, 'A request with this id is in flight in this session.'),
  code: -32_600,
};

/**
 * The two paths of the 2024-11-05 transport. A stream on one path opens a session. The client posts messages to the
 * other.
 */
export class SseEndpoint {
  private isEnding = false;

  constructor(private readonly parts: EndpointParts) {}

  /** Refuses new streams and new requests from now on. */
  stop(): void {
    this.isEnding = true;
  }

  async serve(admitted: Admitted, path: SsePath, sessionId: string | null): Promise<void> {
    const { request, response, caller } = admitted;
    if (request.method !== (path === 'sse' ? 'GET' : 'POST')) return refuse(response, NO_METHOD[path]);
    if (path === 'sse') return this.open(response, caller);
    if (sessionId === null) return refuse(response, NEEDS_SESSION);
    const session = this.parts.sessions.find(sessionId, caller);
    const connecting = session === undefined ? this.parts.peers?.connect(sessionId) : undefined;
    if (connecting !== undefined) return passToPeer(admitted, connecting, this.parts.limits);
    if (!(session instanceof SseSession)) return refuse(response, NO_STREAM);
    const outcome = await this.pass(admitted, session);
    if (outcome === 'passed') response.writeHead(202).end();
    else if (outcome !== 'gone') refuse(response, outcome);
  }

  private open(response: ServerResponse, caller: Caller): void {
    if (this.isEnding) return refuse(response, ENDING);
    if (!this.parts.sessions.makeRoom(caller.principal)) return refuse(response, FULL_OF_STREAMS);
    const { workspace } = caller;
    const endpoint = workspace === undefined ? MESSAGES_PATH : `${MESSAGES_PATH}/${workspace}`;
    noteOpened(new SseSession(this.parts, response, caller, endpoint), this.parts);
  }

  /**
   * Passes a message to its session. Returns the refusal if the session cannot take it, or `gone` if the client has
   * disconnected.
   */
  private async pass(admitted: Admitted, session: SseSession): Promise<Refusal | 'passed' | 'gone'> {
    if (!isJson(admitted.headers.get('content-type') ?? '')) return NO_JSON;
    const body = await this.parts.bodies.read(admitted);
    if (body === undefined) return 'gone';
    if ('refusal' in body) return body.refusal;
    const [message] = body.messages;
    if (message === undefined || body.isBatch) return NO_MESSAGE;
    if (message.kind === 'request' && this.isEnding) return ENDING;
    if (message.kind === 'request' && session.requests.has(message.id)) return SAME_ID;
    if (session.isPaused) return UNREAD;
    session.receive(message);
    return 'passed';
  }
}

function refused(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Refusal {
  return { status, message, headers };
}
