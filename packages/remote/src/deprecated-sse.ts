import type { IncomingMessage } from 'node:http';

import { contentTypeError, toRemoteError } from './describe-problem.js';
import { EventStream } from './event-stream.js';
import { messageLine } from './message-line.js';
import { isEventStream } from './answer-streams.js';
import { RemoteError } from './remote-error.js';
import type { RemoteMessage, RemoteTransport } from './remote-transport.js';
import { isRepeatable } from './repeatable.js';
import { readBody } from './response-body.js';
import { Sending } from './sending.js';
import type { RemoteTransportInit } from './streamable-http.js';

/**
 * The HTTP+SSE transport of 2024-11-05, now deprecated. One stream carries all of the server's messages, and names the
 * URL to which mcpmux posts its own.
 */
export class DeprecatedSse implements RemoteTransport {
  readonly sessionId = undefined;
  private postUrl: URL | undefined;
  private headers: Readonly<Record<string, string>>;
  private readonly streamRequest = new Sending();
  private isClosed = false;

  constructor(private readonly init: RemoteTransportInit) {
    this.headers = init.endpoint.headers;
  }

  async start(): Promise<void> {
    const response = await this.openStream();
    this.init.events.onListenOutcome('open');
    await new Promise<void>((resolve, reject) => {
      const stream = this.createEventStream(resolve);
      const { redactedUrl, flow, events } = this.init;
      const ended = (why: RemoteError): void => {
        reject(why);
        // Until the endpoint event arrives, the session has not begun, and the rejection of `start` reports any error.
        if (!this.isClosed && this.postUrl !== undefined) events.onListenOutcome({ ended: why });
      };
      readBody(response, flow, (chunk) => stream.push(chunk)).then(
        () => ended(new RemoteError(`${redactedUrl} has closed the stream of the session`)),
        (error: unknown) => ended(toRemoteError(redactedUrl, error)),
      );
    });
  }

  async send(message: RemoteMessage, sending: Sending): Promise<void> {
    if (this.postUrl === undefined) throw new Error('Not connected');
    const { line: body, id } = message;
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body, isRepeatable: isRepeatable(message) };
    const response = await this.init.http.send(this.postUrl, request, sending);
    response.resume();
    if (id !== undefined) this.init.events.onAccepted(id);
  }

  setProtocolVersion(protocolVersion: string): void {
    this.headers = { ...this.init.endpoint.headers, 'mcp-protocol-version': protocolVersion };
  }

  async terminate(): Promise<void> {
    // The session ends with the stream.
  }

  close(): void {
    this.isClosed = true;
    this.streamRequest.abort();
  }

  private async openStream(): Promise<IncomingMessage> {
    const { endpoint, http, redactedUrl } = this.init;
    const headers = { ...this.headers, accept: 'text/event-stream' };
    const response = await http.send(endpoint.url, { method: 'GET', headers }, this.streamRequest);
    if (isEventStream(response)) return response;
    response.destroy();
    throw contentTypeError(redactedUrl, response.statusCode ?? 0, response.headers['content-type'] ?? null);
  }

  private createEventStream(ready: () => void): EventStream {
    const { endpoint, redactedUrl, events, maxMessageBytes } = this.init;
    return new EventStream(
      {
        event: (data, type) => {
          const line = type === '' || type === 'message' ? messageLine(data) : undefined;
          if (line !== undefined) events.line(line);
          if (type !== 'endpoint') return;
          this.postUrl = requireSameOrigin(Buffer.concat(data).toString(), endpoint.url, redactedUrl);
          ready();
        },
        id: () => undefined,
        retry: () => undefined,
      },
      maxMessageBytes,
    );
  }
}

function requireSameOrigin(text: string, url: URL, redactedUrl: string): URL {
  const postUrl = URL.canParse(text, url.href) ? new URL(text, url) : undefined;
  if (postUrl?.origin === url.origin) return postUrl;
  const named = postUrl === undefined ? 'text that is no url' : `${postUrl.origin}, another origin`;
  const advice =
    'mcpmux sends messages to no other origin. Set the public url of the server in its own configuration, or add the ' +
    'server with the url that it names.';
  throw new RemoteError(`${redactedUrl} names ${named}, as the endpoint of its messages`, advice);
}
