import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Message, Params, RequestId } from '../raw/message.js';
import { headerProblem, revisionOf } from './modern-headers.js';

export type { ListenFilter, Message, Params, RequestId } from '../raw/message.js';

const HOST = '127.0.0.1';
const REVISION = '2026-07-28';
const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';
const COMPLETE_MEMBERS = { resultType: 'complete' };
const CACHEABLE_MEMBERS = { ...COMPLETE_MEMBERS, ttlMs: 60_000, cacheScope: 'private' };

/** A received POST. */
export interface ModernPost {
  readonly headers: IncomingMessage['headers'];
  readonly body: Message;
  /** The body as text. */
  readonly text: string;
}

/** The options of a {@link ModernRemote}. */
export interface ModernRemoteOptions {
  /** True if the server also supports the legacy era, without sessions. */
  readonly hasHandshake?: boolean;
  /** True if the server does not support `subscriptions/listen`. */
  readonly isDeaf?: boolean;
  readonly port?: number;
}

/** Responds to a POST instead of the server. Returns false to let the server respond. */
export type PostInterception = (post: ModernPost, response: ServerResponse) => boolean;

type ListenStream = { readonly id: RequestId; readonly response: ServerResponse };

/**
 * A server of the modern era over HTTP, written without an SDK. Listens on a port of 127.0.0.1 and checks the headers
 * of each request.
 */
export class ModernRemote implements AsyncDisposable {
  readonly url: string;
  readonly posts: ModernPost[] = [];
  /** The HTTP methods of all requests except POST. */
  readonly others: string[] = [];
  /** The JSON-RPC methods of requests whose response streams the client has closed. */
  readonly cancelled: string[] = [];
  /** Definitions of tools besides `echo`, `count`, `wait` and `ask`. Each of these tools returns its arguments. */
  tools: object[] = [];
  intercept: PostInterception = () => false;
  readonly #listens = new Set<ListenStream>();
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly options: ModernRemoteOptions,
    port: number,
  ) {
    this.url = `http://${HOST}:${port}/mcp`;
    server.on('request', (request, response) => void this.#take(request, response));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async open(options: ModernRemoteOptions = {}): Promise<ModernRemote> {
    const server = createServer();
    server.listen(options.port ?? 0, HOST);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no TCP port');
    return new ModernRemote(server, options, address.port);
  }

  /** Returns the POSTs with this JSON-RPC method. */
  of(method: string): readonly ModernPost[] {
    return this.posts.filter(({ body }) => body.method === method);
  }

  /** Sets the response to later requests with this method. `$id` in the body is replaced with the request's id. */
  answers(method: string, status: number, body = '', type = 'application/json'): void {
    this.intercept = (post, response) => {
      if (post.body.method !== method) return false;
      const text = body.replace('$id', JSON.stringify(post.body.id));
      response.writeHead(status, { 'content-type': type }).end(text);
      return true;
    };
  }

  get listenCount(): number {
    return this.#listens.size;
  }

  /** Sends a notification to every listener. */
  report(method: string, params: object = {}): void {
    for (const { id, response } of this.#listens)
      sendEvent(response, {
        jsonrpc: '2.0',
        method,
        params: { ...params, _meta: { [SUBSCRIPTION_ID_KEY]: id } },
      });
  }

  /** Breaks all listeners' streams, as a proxy might do. */
  breakListens(): void {
    for (const { response } of this.#listens) response.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    if (method !== 'POST') {
      this.others.push(method);
      response.writeHead(405).end();
      return;
    }
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    const body: Message = JSON.parse(text);
    const post = { headers, body, text };
    this.posts.push(post);
    response.on('close', () => {
      if (!response.writableFinished) this.cancelled.push(body.method ?? '');
    });
    if (!this.intercept(post, response)) this.#answer(post, response);
  }

  #answer({ headers, body }: ModernPost, response: ServerResponse): void {
    const { id, method = '', params = {} } = body;
    if (id === undefined) return void response.writeHead(202).end();
    const version = revisionOf(params);
    if (version === undefined) return this.#old(response, { id, method, params });
    const problem = headerProblem(headers, body, this.tools);
    const versionData = { supported: [REVISION], requested: version };
    if (problem !== undefined) sendJson(response, 400, errorResponse(id, -32020, problem));
    else if (version !== REVISION)
      sendJson(response, 400, errorResponse(id, -32022, 'unsupported version', versionData));
    else this.#serve(response, { id, method, params });
  }

  #serve(
    response: ServerResponse,
    { id, method, params }: Required<Pick<Message, 'id' | 'method'>> & { params: Params },
  ): void {
    const result = this.#resultOf(method);
    if (result !== undefined) sendJson(response, 200, { jsonrpc: '2.0', id, result });
    else if (method === 'subscriptions/listen' && this.options.isDeaf !== true)
      this.#listen(response, id, params);
    else if (method === 'tools/call') answerToolCall(response, id, params);
    else sendJson(response, 404, errorResponse(id, -32601, `unknown method: ${method}`));
  }

  #resultOf(method: string): object | undefined {
    if (method === 'server/discover')
      return {
        supportedVersions: [REVISION],
        capabilities: { tools: { listChanged: true } },
        ...CACHEABLE_MEMBERS,
      };
    if (method !== 'tools/list') return undefined;
    const builtInNames = ['echo', 'count', 'wait', 'ask'];
    const builtInTools = builtInNames.map((name) => ({
      name,
      inputSchema: { type: 'object', properties: {} },
    }));
    return { tools: [...builtInTools, ...this.tools], ...CACHEABLE_MEMBERS };
  }

  #listen(response: ServerResponse, id: RequestId, { notifications = {} }: Params): void {
    const stream = { id, response };
    this.#listens.add(stream);
    response.on('close', () => this.#listens.delete(stream));
    startStream(response);
    const params = { notifications, _meta: { [SUBSCRIPTION_ID_KEY]: id } };
    sendEvent(response, { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params });
  }

  #old(
    response: ServerResponse,
    { id, method }: Required<Pick<Message, 'id' | 'method'>> & { params: Params },
  ): void {
    if (this.options.hasHandshake !== true) {
      const data = { supported: [REVISION] };
      return sendJson(response, 400, errorResponse(id, -32022, 'no handshake here', data));
    }
    const capabilities = { tools: {} };
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'dual', version: '1' } },
      'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'legacy' }] },
    };
    sendJson(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  }
}

function answerToolCall(response: ServerResponse, id: RequestId, params: Params): void {
  const { name, arguments: args = {}, inputResponses, requestState, _meta: meta } = params;
  const text = (said: string): object => ({ content: [{ type: 'text', text: said }], ...COMPLETE_MEMBERS });
  if (name === 'wait') return startStream(response);
  if (name === 'ask' && inputResponses === undefined) {
    const question = {
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: {} },
      mode: 'form',
    };
    const inputRequests = { q: { method: 'elicitation/create', params: question } };
    const result = { resultType: 'input_required', inputRequests, requestState: 'state-1' };
    return sendJson(response, 200, { jsonrpc: '2.0', id, result });
  }
  if (name === 'count') {
    startStream(response);
    for (const progress of [1, 2])
      sendEvent(response, {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: meta?.progressToken, progress },
      });
    sendEvent(response, { jsonrpc: '2.0', id, result: text('2') });
    return void response.end();
  }
  const said = name === 'ask' ? { requestState, inputResponses } : args;
  sendJson(response, 200, { jsonrpc: '2.0', id, result: text(JSON.stringify(said)) });
}

function errorResponse(id: RequestId, code: number, message: string, data?: object): object {
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

function sendEvent(response: ServerResponse, message: object): void {
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
