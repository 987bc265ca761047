import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

import { createToolServer, type RemoteState } from './remote-tools.js';

export type { RemoteState } from './remote-tools.js';

const HOST = '127.0.0.1';

/** A received request. */
export interface RemoteRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as a JSON value, or as text if it is not JSON. */
  readonly body: unknown;
  /** The body's JSON-RPC method, if any. */
  readonly rpc: string | undefined;
}

/** The options of a {@link RemoteServer}. */
export interface RemoteServerOptions {
  /** `sse` supports only the deprecated transport: the response to a POST to the server's URL has status 404. */
  readonly transport?: 'http' | 'sse';
  /** True if each response is one JSON body instead of a stream. */
  readonly answersInJson?: boolean;
}

/** Responds to a request instead of the server. Returns false to let the server respond. */
export type Interception = (request: RemoteRequest, response: ServerResponse) => boolean;

/** An MCP server over HTTP on a free port of 127.0.0.1, with the tools of {@link createToolServer}. */
export class RemoteServer implements AsyncDisposable {
  readonly url: string;
  readonly requests: RemoteRequest[] = [];
  readonly state: RemoteState = { subscribed: [], cancelled: 0 };
  /** Responds to requests instead of the server. By default, leaves all requests to the server. */
  intercept: Interception = () => false;
  readonly #server: Server;
  readonly #options: RemoteServerOptions;
  readonly #sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  readonly #sockets = new Set<Socket>();
  #changed: () => void = () => undefined;

  private constructor(server: Server, port: number, options: RemoteServerOptions) {
    this.#server = server;
    this.#options = options;
    this.url = `http://${HOST}:${port}/mcp`;
    server.on('request', (request, response) => void this.#answer(request, response));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        this.#changed();
      });
    });
  }

  /** @param port - a free port by default, or the port of an earlier server that this server replaces */
  static async open(options: RemoteServerOptions = {}, port = 0): Promise<RemoteServer> {
    const server = createServer();
    server.listen(port, HOST);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no TCP port');
    return new RemoteServer(server, address.port, options);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Resolves when this many connections are open. */
  async connections(count: number): Promise<void> {
    while (this.#sockets.size !== count) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  /** Returns the requests with this JSON-RPC method. */
  of(rpc: string): readonly RemoteRequest[] {
    return this.requests.filter((request) => request.rpc === rpc);
  }

  /** Drops all sessions, as a restart would. Open streams end. */
  loseSessions(): void {
    for (const transport of this.#sessions.values()) void transport.close();
    this.#sessions.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.loseSessions();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const bodyText = await readText(incoming);
    const isJson = incoming.headers['content-type']?.startsWith('application/json') === true;
    const body: unknown = isJson ? JSON.parse(bodyText) : undefined;
    const { pathname, searchParams } = new URL(incoming.url ?? '', this.url);
    const request: RemoteRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: isJson ? body : bodyText,
      rpc: rpcMethodOf(body),
    };
    this.requests.push(request);
    if (this.intercept(request, response)) return;
    if (this.#options.transport === 'sse')
      return this.#answerSse(incoming, response, { body, pathname, session: searchParams.get('sessionId') });
    const id = incoming.headers['mcp-session-id'];
    const transport = typeof id === 'string' ? this.#sessions.get(id) : await this.#newSession(request);
    if (!(transport instanceof StreamableHTTPServerTransport))
      return sendError(response, 404, 'Session not found');
    await transport.handleRequest(incoming, response, body);
  }

  async #newSession({ rpc }: RemoteRequest): Promise<StreamableHTTPServerTransport | undefined> {
    if (rpc !== 'initialize') return undefined;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: this.#options.answersInJson === true,
      onsessioninitialized: (id) => void this.#sessions.set(id, transport),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await createToolServer(this.state).connect(transport);
    return transport;
  }

  async #answerSse(
    incoming: IncomingMessage,
    response: ServerResponse,
    { body, pathname, session }: { body: unknown; pathname: string; session: string | null },
  ): Promise<void> {
    if (incoming.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      this.#sessions.set(transport.sessionId, transport);
      response.on('close', () => this.#sessions.delete(transport.sessionId));
      return createToolServer(this.state).connect(transport);
    }
    const transport = pathname === '/messages' ? this.#sessions.get(session ?? '') : undefined;
    if (!(transport instanceof SSEServerTransport)) return sendError(response, 404, 'Not found');
    await transport.handlePostMessage(incoming, response, body);
  }
}

/** Sends a JSON-RPC error with this message. */
function sendError(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_001, message } }));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function rpcMethodOf(body: unknown): string | undefined {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
  return typeof method === 'string' ? method : undefined;
}
