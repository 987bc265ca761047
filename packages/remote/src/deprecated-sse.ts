import type { IncomingMessage } from 'node:http';

import { contentProblem, thrownProblem } from './describe-problem.js';
import { EventStream } from './event-stream.js';
import { messageLine } from './message-line.js';
import { isEventStream } from './answer-streams.js';
import { RemoteError } from './remote-error.js';
import type { RemoteMessage, RemoteTransport } from './remote-transport.js';
import { readBody } from './response-body.js';
import { Sending } from './sending.js';
import type { RemoteTransportInit } from './streamable-http.js';

/** HTTP+SSE of 2024-11-05, deprecated since then: one stream brings all messages, and says where to POST the others. */
export class DeprecatedSse implements RemoteTransport {
  readonly sessionId = undefined;
  private target: URL | undefined;
  private headers: Readonly<Record<string, string>>;
  private readonly stream = new Sending();
  private isClosed = false;

  constructor(private readonly init: RemoteTransportInit) {
    this.headers = init.endpoint.headers;
  }

  async start(): Promise<void> {
    const response = await this.listen();
    this.init.events.listened('open');
    await new Promise<void>((resolve, reject) => {
      const stream = this.eventStream(resolve);
      const { where, flow, events } = this.init;
      void readBody(response, flow, (chunk) => stream.push(chunk))
        .catch((error: unknown) => reject(thrownProblem(where, error)))
        .then(() => {
          reject(new RemoteError(`${where} has closed the stream of the session`));
          if (!this.isClosed) events.listened('ended');
        });
    });
  }

  async send({ line, id }: RemoteMessage, sending: Sending): Promise<void> {
    if (this.target === undefined) throw new Error('Not connected');
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const response = await this.init.http.send(this.target, { method: 'POST', headers, body: line }, sending);
    response.resume();
    if (id !== undefined) this.init.events.taken(id);
  }

  agreed(protocolVersion: string): void {
    this.headers = { ...this.init.endpoint.headers, 'mcp-protocol-version': protocolVersion };
  }

  async terminate(): Promise<void> {
    // The end of the stream is the end of the session.
  }

  close(): void {
    this.isClosed = true;
    this.stream.abort();
  }

  private async listen(): Promise<IncomingMessage> {
    const { endpoint, http, where } = this.init;
    const headers = { ...this.headers, accept: 'text/event-stream' };
    const response = await http.send(endpoint.url, { method: 'GET', headers }, this.stream);
    if (isEventStream(response)) return response;
    response.destroy();
    throw contentProblem(where, response.statusCode ?? 0, response.headers['content-type'] ?? null);
  }

  private eventStream(ready: () => void): EventStream {
    const { endpoint, events, maxMessageBytes } = this.init;
    return new EventStream(
      {
        event: (data, type) => {
          const line = type === '' || type === 'message' ? messageLine(data) : undefined;
          if (line !== undefined) events.line(line);
          if (type !== 'endpoint') return;
          this.target = sameOrigin(Buffer.concat(data).toString(), endpoint.url);
          ready();
        },
        id: () => undefined,
        retry: () => undefined,
      },
      maxMessageBytes,
    );
  }
}

function sameOrigin(text: string, url: URL): URL {
  const target = new URL(text, url);
  if (target.origin === url.origin) return target;
  throw new Error(`Endpoint origin does not match connection origin: ${target.origin}`);
}
