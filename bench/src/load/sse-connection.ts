import { Agent, get, type IncomingMessage } from 'node:http';

import { NOBODY, type Connection, type ConnectionHandler } from './connection.js';
import { post } from './http-post.js';
import { LineScanner } from './line-scanner.js';
import { onDataLine } from './server-sent-events.js';

/** The HTTP+SSE transport of 2024-11-05: one event stream carries all answers, every message is a POST. */
export class SseConnection implements Connection {
  private readonly agent = new Agent({ keepAlive: true });
  private handler: ConnectionHandler = NOBODY;
  private endpoint: URL;

  private constructor(
    private readonly stream: IncomingMessage,
    private readonly peer: AsyncDisposable,
    base: URL,
  ) {
    this.endpoint = base;
    const scanner = new LineScanner(onDataLine((line) => this.handler.line(line)));
    stream.on('data', (chunk: Buffer) => scanner.push(chunk));
    stream.on('error', (error) => this.handler.ended(error));
    stream.on('end', () => this.handler.ended(new Error(`the event stream of ${base.href} has ended`)));
  }

  /** Opens the event stream at `url` and learns where messages go. The connection ends with its peer. */
  static async open(url: URL, peer: AsyncDisposable): Promise<SseConnection> {
    const stream = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers: { accept: 'text/event-stream' } }, resolve).on('error', reject);
    });
    const connection = new SseConnection(stream, peer, url);
    const endpoint = await new Promise<string>((resolve, reject) => {
      connection.listen({ line: (line) => resolve(line.text()), ended: reject });
    });
    connection.endpoint = new URL(endpoint, url);
    return connection;
  }

  listen(handler: ConnectionHandler): void {
    this.handler = handler;
  }

  send(message: string): void {
    post({
      url: this.endpoint,
      agent: this.agent,
      headers: { 'content-type': 'application/json' },
      message,
      onResponse: (response) => response.resume(),
      onFailure: (reason) => this.handler.ended(reason),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.handler = NOBODY;
    await this.peer[Symbol.asyncDispose]();
    this.agent.destroy();
    this.stream.destroy();
  }
}
