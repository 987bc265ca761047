import type { IncomingMessage } from 'node:http';

import type { Clock } from '@mcpmux/kit';

import { AnswerStreams, isEventStream } from './answer-streams.js';
import { contentTypeError } from './describe-problem.js';
import { messageLine } from './message-line.js';
import type { RemoteEndpoint } from './remote-endpoint.js';
import { isRepeatable } from './repeatable.js';
import type {
  RemoteMessage,
  RemoteTransport,
  RemoteTransportEvents,
  SessionOpening,
} from './remote-transport.js';
import { bodyParts, type Flow } from './response-body.js';
import { Sending } from './sending.js';
import type { ServerHttp } from './server-http.js';

/** The dependencies of the transports. */
export interface RemoteTransportInit {
  readonly endpoint: RemoteEndpoint;
  /** The URL without secrets, for error messages. */
  readonly redactedUrl: string;
  readonly opening: SessionOpening;
  readonly http: ServerHttp;
  readonly clock: Clock;
  readonly flow: Flow;
  /** The maximum size of one server message, in bytes. */
  readonly maxMessageBytes: number;
  readonly events: RemoteTransportEvents;
}

/** The headers of every POST request. */
export const POST_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

type Headers = Readonly<Record<string, string>>;

/**
 * Streamable HTTP (2025-03-26 to 2025-11-25). Each message is the body of a POST. Each response is a body or an event,
 * whose bytes are passed on unchanged except for line breaks.
 */
export class StreamableHttp implements RemoteTransport {
  private currentSessionId: string | undefined;
  private version: string | undefined;
  private headers: Headers = {};
  private postHeaders: Headers = {};
  private readonly answerStreams: AnswerStreams;

  constructor(private readonly init: RemoteTransportInit) {
    this.setSession(undefined);
    this.answerStreams = new AnswerStreams(init, (lastEventId, sending) =>
      this.requestStream(lastEventId, sending),
    );
  }

  get sessionId(): string | undefined {
    return this.currentSessionId;
  }

  async start(): Promise<void> {
    // The first POST starts the session.
  }

  async send(message: RemoteMessage, sending: Sending): Promise<void> {
    const { id, method, line } = message;
    const { http, endpoint, opening } = this.init;
    const isOpening = method === opening.request;
    if (isOpening) this.setSession(undefined);
    const request = {
      method: 'POST',
      headers: this.postHeaders,
      body: line,
      isRepeatable: isRepeatable(message),
    };
    const response = await http.send(endpoint.url, request, sending);
    const isAccepted = response.statusCode === 202;
    if (isOpening) this.setSession(sessionIdOf(response));
    if (id !== undefined && !isAccepted) return this.deliverAnswer(id, response, sending);
    response.resume();
    // Every success status is accepted, because many servers respond with 200 or 204 instead of 202.
    if (method === opening.notification) void this.answerStreams.listen(new Sending());
  }

  setProtocolVersion(protocolVersion: string): void {
    this.version = protocolVersion;
    this.setSession(this.currentSessionId);
  }

  async terminate(): Promise<void> {
    if (this.currentSessionId === undefined) return;
    const { http, endpoint } = this.init;
    const response = await http.send(endpoint.url, { method: 'DELETE', headers: this.headers });
    response.resume();
  }

  close(): void {
    this.answerStreams.close();
  }

  private async deliverAnswer(id: number, response: IncomingMessage, sending: Sending): Promise<void> {
    const { redactedUrl, events, flow, maxMessageBytes } = this.init;
    if (isEventStream(response)) return void this.answerStreams.deliverEvents({ id, sending }, response);
    const type = response.headers['content-type'];
    if (!/^application\/json\b/i.test(type ?? '')) {
      response.destroy();
      throw contentTypeError(redactedUrl, response.statusCode ?? 0, type ?? null);
    }
    const line = messageLine(await bodyParts(response, flow, maxMessageBytes));
    if (line !== undefined) events.line(line);
    events.onEnded(id);
  }

  private requestStream(lastEventId: string | undefined, sending: Sending): Promise<IncomingMessage> {
    const { http, endpoint } = this.init;
    const headers = {
      ...this.headers,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return http.send(endpoint.url, { method: 'GET', headers, isRepeatable: true }, sending);
  }

  private setSession(session: string | undefined): void {
    const { version } = this;
    this.currentSessionId = session;
    this.headers = {
      ...this.init.endpoint.headers,
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(version !== undefined && { 'mcp-protocol-version': version }),
    };
    this.postHeaders = { ...this.headers, ...POST_HEADERS };
  }
}

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const session = headers['mcp-session-id'];
  return typeof session === 'string' && session !== '' ? session : undefined;
}
