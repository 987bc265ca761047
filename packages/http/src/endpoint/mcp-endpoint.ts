import type { Admitted } from '../entrance/admitted.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import { HttpSession } from '../session/http-session.js';
import { initializeRequestIn, canOpenSession, type PostedBody } from '../session/posted-body.js';
import {
  SESSION_ALREADY_OPEN,
  SHUTTING_DOWN,
  TOO_MANY_SESSIONS,
  INCOMPLETE_INITIALIZE,
  UNKNOWN_SESSION,
} from '../session/session-refusals.js';
import { postTypesRefusal, streamTypesRefusal, versionRefusal } from '../entrance/request-headers.js';
import { registerSession, type EndpointParts } from './endpoint-parts.js';
import { passToPeer } from './pass-to-peer.js';
import { namesModernRevision, ModernEndpoint, POST_ONLY } from './modern-endpoint.js';

const SERVED_METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);
const METHOD_NOT_ALLOWED: Refusal = {
  status: 405,
  message: 'MCP is served by POST, GET and DELETE.',
  headers: { allow: 'GET, POST, DELETE' },
};
const MISSING_SESSION_ID: Refusal = {
  status: 400,
  message: 'The header Mcp-Session-Id is missing. Only initialize is sent without this header.',
};

/** The MCP endpoint. Opens sessions, and passes each request to its session. */
export class McpEndpoint {
  private isEnding = false;

  private readonly modernEndpoint: ModernEndpoint;

  constructor(private readonly parts: EndpointParts) {
    this.modernEndpoint = new ModernEndpoint(parts.modern);
  }

  /** From now on, rejects new requests. Clients can still respond to the servers' requests in flight. */
  refuseNewRequests(): void {
    this.isEnding = true;
  }

  serve(admitted: Admitted): Promise<void> | void {
    const { request, response, headers, caller } = admitted;
    const { method = '' } = request;
    if (!SERVED_METHODS.has(method)) return refuse(response, METHOD_NOT_ALLOWED);
    const id = headers.get('mcp-session-id');
    const frontSession = id === undefined ? undefined : this.parts.sessions.find(id, caller);
    const session = frontSession instanceof HttpSession ? frontSession : undefined;
    if (session === undefined && namesModernRevision(headers)) return this.serveWithoutSession(admitted);
    if (id !== undefined && session === undefined) return this.forwardToPeer(admitted, id);
    if (method === 'POST') return this.servePost(admitted, session);
    if (session === undefined) return refuse(response, MISSING_SESSION_ID);
    const typesRefusal = method === 'GET' ? streamTypesRefusal(headers) : undefined;
    const refusal = typesRefusal ?? versionRefusal(headers.get('mcp-protocol-version'));
    if (refusal !== undefined) return refuse(response, refusal);
    if (method === 'GET') session.serveGet(response, headers);
    else session.serveDelete(response);
  }

  /** Passes the request to the front that has the session. Rejects the request if there is no such front. */
  private forwardToPeer(admitted: Admitted, id: string): Promise<void> | void {
    const { peers, limits } = this.parts;
    const isPost = admitted.request.method === 'POST';
    if (this.isEnding && isPost && peers !== undefined) return refuse(admitted.response, SHUTTING_DOWN);
    const pendingConnection = peers?.connect(id);
    if (pendingConnection === undefined) return refuse(admitted.response, UNKNOWN_SESSION);
    return passToPeer(admitted, pendingConnection, limits);
  }

  /** Serves a POST whose headers name a revision without sessions. Rejects other methods, even with a session id. */
  private serveWithoutSession(admitted: Admitted): Promise<void> | void {
    return admitted.request.method === 'POST'
      ? this.servePost(admitted, undefined)
      : refuse(admitted.response, POST_ONLY);
  }

  private async servePost(admitted: Admitted, session: HttpSession | undefined): Promise<void> {
    const { response, headers } = admitted;
    const body = await this.parts.bodies.read(admitted);
    if (body === undefined) return;
    if ('refusal' in body) return refuse(response, body.refusal);
    if (this.isEnding && body.messages.some(({ kind }) => kind === 'request'))
      return refuse(response, SHUTTING_DOWN);
    const modern = this.modernEndpoint.serveBody(admitted, body);
    if (modern !== undefined) return modern;
    if (session === undefined) return this.openSession(admitted, body);
    const version = headers.get('mcp-protocol-version');
    const refusal =
      session.duplicateIdRefusal(body) ??
      postTypesRefusal(headers) ??
      (body.messages.some(canOpenSession) ? SESSION_ALREADY_OPEN : versionRefusal(version));
    if (refusal !== undefined) return refuse(response, refusal);
    session.servePost(response, body, version);
  }

  private openSession({ response, headers, caller }: Admitted, body: PostedBody): void {
    if (headers.get('mcp-session-id') !== undefined) return refuse(response, UNKNOWN_SESSION);
    const initializeRequest = initializeRequestIn(body);
    if (initializeRequest === undefined) return refuse(response, MISSING_SESSION_ID);
    const typesRefusal = postTypesRefusal(headers);
    if (typesRefusal !== undefined) return refuse(response, typesRefusal);
    if (!canOpenSession(initializeRequest)) return refuse(response, INCOMPLETE_INITIALIZE);
    if (!this.parts.sessions.makeRoom(caller.principal)) return refuse(response, TOO_MANY_SESSIONS);
    const { openMuxSession, limits, now, metrics, peers } = this.parts;
    const session = new HttpSession({
      openMuxSession,
      limits,
      now,
      caller,
      id: peers?.newSessionId(),
      onAnswer: (request, line) => metrics.recordAnswer(request, line),
    });
    registerSession(session, this.parts);
    session.servePost(response, body, undefined);
  }
}
