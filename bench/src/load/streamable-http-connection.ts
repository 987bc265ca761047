import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';

import { NOBODY, type Connection, type ConnectionHandler } from './connection.js';
import { post } from './http-post.js';
import { LineScanner } from './line-scanner.js';
import { onDataLine } from './server-sent-events.js';

const SESSION_HEADER = 'mcp-session-id';

/** The Streamable HTTP transport: every message is a POST, and its answer comes in the response. */
export class StreamableHttpConnection implements Connection {
  private readonly agent = new Agent({ keepAlive: true });
  private handler: ConnectionHandler = NOBODY;
  private session: string | undefined;

  /**
   * The end of the connection is the end of the peer that listens at `url`.
   *
   * @param repeated the headers that repeat parts of a message
   */
  constructor(
    private readonly url: URL,
    private readonly peer: AsyncDisposable,
    private readonly repeated: (message: string) => Readonly<Record<string, string>> = () => ({}),
  ) {}

  listen(handler: ConnectionHandler): void {
    this.handler = handler;
  }

  send(message: string): void {
    post({
      url: this.url,
      agent: this.agent,
      headers: { ...this.headers(), ...this.repeated(message) },
      message,
      onResponse: (response) => this.receive(response),
      onFailure: (reason) => this.handler.ended(reason),
    });
  }

  /** Ends the session with a DELETE, if there is one, and closes its connections; the peer goes on. */
  async endSession(): Promise<void> {
    this.handler = NOBODY;
    if (this.session !== undefined) {
      const outgoing = request(this.url, { method: 'DELETE', agent: this.agent, headers: this.headers() });
      outgoing.end();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
    }
    this.agent.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.handler = NOBODY;
    await this.peer[Symbol.asyncDispose]();
    this.agent.destroy();
  }

  private headers(): Record<string, string> {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return this.session === undefined ? headers : { ...headers, [SESSION_HEADER]: this.session };
  }

  private receive(response: IncomingMessage): void {
    const { headers } = response;
    const session = headers[SESSION_HEADER];
    if (typeof session === 'string') this.session = session;
    const isEvents = headers['content-type']?.startsWith('text/event-stream') === true;
    const scanner = new LineScanner(
      isEvents ? onDataLine((line) => this.handler.line(line)) : (line) => this.handler.line(line),
    );
    response.on('data', (chunk: Buffer) => scanner.push(chunk));
    response.on('end', () => scanner.end());
  }
}
