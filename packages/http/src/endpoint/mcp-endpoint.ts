import type { Admitted } from '../entrance/admitted.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import { HttpSession } from '../session/http-session.js';
import { openingRequest, opensSession, type PostedBody } from '../session/posted-body.js';
import { ALREADY_OPEN, ENDING, FULL, NO_INITIALIZE, NO_SESSION } from '../session/session-refusals.js';
import { postTypesRefusal, streamTypesRefusal, versionRefusal } from '../entrance/request-headers.js';
import { noteOpened, type EndpointParts } from './endpoint-parts.js';
import { passToPeer } from './pass-to-peer.js';
import { isModern, ModernEndpoint, POST_ONLY } from './modern-endpoint.js';

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

/** The MCP endpoint. Opens sessions, and passes each request to its session. */
export class McpEndpoint {
  private isEnding = false;

  private readonly modern: ModernEndpoint;

  constructor(private readonly parts: EndpointParts) {
    this.modern = new ModernEndpoint(parts.modern);
  }

  /** Refuses new requests from now on. Clients can still answer the server requests in flight. */
  stop(): void {
    this.isEnding = true;
  }

  serve(admitted: Admitted): Promise<void> | void {
    const { request, response, headers, caller } = admitted;
    const { method = '' } = request;
    if (!METHODS.has(method)) return refuse(response, NO_METHOD);
    const id = headers.get('mcp-session-id');
    const known = id === undefined ? undefined : this.parts.sessions.find(id, caller);
    const session = known instanceof HttpSession ? known : undefined;
    if (session === undefined && isModern(headers)) return this.sessionless(admitted);
    if (id !== undefined && session === undefined) return this.forwardToPeer(admitted, id);
    if (method === 'POST') return this.post(admitted, session);
    if (session === undefined) return refuse(response, NEEDS_SESSION);
    const types = method === 'GET' ? streamTypesRefusal(headers) : undefined;
    const refusal = types ?? versionRefusal(headers.get('mcp-protocol-version'));
    if (refusal !== undefined) return refuse(response, refusal);
    if (method === 'GET') session.get(response, headers);
    else session.end(response);
  }

  /** Passes the request to the front that has the session, or refuses the request if there is no such front. */
  private forwardToPeer(admitted: Admitted, id: string): Promise<void> | void {
    const { peers, limits } = this.parts;
    const isPost = admitted.request.method === 'POST';
    if (this.isEnding && isPost && peers !== undefined) return refuse(admitted.response, ENDING);
    const connecting = peers?.connect(id);
    if (connecting === undefined) return refuse(admitted.response, NO_SESSION);
    return passToPeer(admitted, connecting, limits);
  }

  /** Serves a request whose headers name a revision without sessions. Only POST is served, even with a session id. */
  private sessionless(admitted: Admitted): Promise<void> | void {
    return admitted.request.method === 'POST'
      ? this.post(admitted, undefined)
      : refuse(admitted.response, POST_ONLY);
  }

  private async post(admitted: Admitted, session: HttpSession | undefined): Promise<void> {
    const { response, headers } = admitted;
    const body = await this.parts.bodies.read(admitted);
    if (body === undefined) return;
    if ('refusal' in body) return refuse(response, body.refusal);
    if (this.isEnding && body.messages.some(({ kind }) => kind === 'request'))
      return refuse(response, ENDING);
    const modern = this.modern.post(admitted, body);
    if (modern !== undefined) return modern;
    if (session === undefined) return this.open(admitted, body);
    const version = headers.get('mcp-protocol-version');
    const refusal =
      session.idRefusal(body) ??
      postTypesRefusal(headers) ??
      (body.messages.some(opensSession) ? ALREADY_OPEN : versionRefusal(version));
    if (refusal !== undefined) return refuse(response, refusal);
    session.post(response, body, version);
  }

  private open({ response, headers, caller }: Admitted, body: PostedBody): void {
    if (headers.get('mcp-session-id') !== undefined) return refuse(response, NO_SESSION);
    const opening = openingRequest(body);
    if (opening === undefined) return refuse(response, NEEDS_SESSION);
    const types = postTypesRefusal(headers);
    if (types !== undefined) return refuse(response, types);
    if (!opensSession(opening)) return refuse(response, NO_INITIALIZE);
    if (!this.parts.sessions.makeRoom(caller.principal)) return refuse(response, FULL);
    const { connect, limits, now, metrics, peers } = this.parts;
    const session = new HttpSession({
      connect,
      limits,
      now,
      caller,
      id: peers?.newSessionId(),
      onAnswer: (request, line) => metrics.recordAnswer(request, line),
    });
    noteOpened(session, this.parts);
    session.post(response, body, undefined);
  }
}
