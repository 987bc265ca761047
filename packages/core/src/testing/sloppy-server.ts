import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough } from 'node:stream';

import { forEachLine } from '@mcpmux/testing/each-line';

export type Era = 'legacy' | 'modern';

/** The way to a server. */
export type Way = 'streams' | 'http';

/** A request as a server reads it. */
export interface Asked {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

/** One answer on its way: its bytes, and how HTTP carries it. */
export interface Reply {
  readonly bytes: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** How many bytes are written at once; all when absent. */
  readonly chunk?: number;
  /** The connection breaks behind so many bytes. */
  readonly endsAt?: number;
  /** The response has no end of its own. */
  readonly isEndless?: boolean;
}

/** Changes the answer to a request. Undefined leaves the request without an answer. */
export type Change = (reply: Reply, asked: Asked, answer: object) => Reply | undefined;

/** The words of the tool that fails. */
export const WORDS = 'the disk is full';
const TOOL = {
  description: 'a tool',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
};
const MODERN = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };

/** A server whose answers a test may change before they leave: over streams or HTTP, in one era. */
export class SloppyServer implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly era: Era,
    private readonly change: Change,
    private readonly http: Server,
    private readonly toNotifications: number,
  ) {
    http.on('request', (request, response) => void this.requested(request, response));
    http.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /** @param toNotifications the status of the answer to a notification */
  static async open(era: Era, change: Change, toNotifications = 202): Promise<SloppyServer> {
    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    return new SloppyServer(era, change, http, toNotifications);
  }

  get url(): string {
    const { port } = this.http.address() as AddressInfo;
    return `http://127.0.0.1:${port}/mcp`;
  }

  /** Connections over HTTP that are open now. */
  get openSockets(): number {
    return this.sockets.size;
  }

  /** A new connection over streams: what a client writes, and what it reads. */
  streams(): { readonly input: PassThrough; readonly output: PassThrough } {
    const [input, output] = [new PassThrough(), new PassThrough()];
    forEachLine(output, (line) => {
      const reply = this.replyTo(line);
      if (reply === undefined) return;
      const bytes = Buffer.concat([reply.bytes, Buffer.from('\n')]).subarray(0, reply.endsAt);
      for (const part of partsOf(bytes, reply.chunk)) input.write(part);
      if (reply.endsAt !== undefined) input.end();
    });
    output.on('end', () => input.end());
    return { input, output };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.http, 'close');
    this.http.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async requested(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if ((JSON.parse(text) as Asked).id === undefined)
      return void response.writeHead(this.toNotifications).end();
    const reply = this.replyTo(text);
    if (reply === undefined) return;
    const { status, headers, chunk, endsAt } = reply;
    const bytes = reply.bytes.subarray(0, endsAt);
    response.writeHead(status, headers);
    for (const part of partsOf(bytes, chunk)) response.write(part);
    if (endsAt !== undefined) response.socket?.destroySoon();
    else if (reply.isEndless !== true) response.end();
  }

  private replyTo(text: string): Reply | undefined {
    const asked = JSON.parse(text) as Asked;
    if (asked.id === undefined || asked.method === undefined) return undefined;
    const answer = { jsonrpc: '2.0', id: asked.id, ...answerOf(asked, this.era) };
    const reply = {
      bytes: Buffer.from(JSON.stringify(answer)),
      status: 200,
      headers: { 'content-type': 'application/json' },
    };
    return this.change(reply, asked, answer);
  }
}

function* partsOf(bytes: Buffer, size = bytes.length): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function answerOf({ method, params = {} }: Asked, era: Era): object {
  const result = resultOf(method, params);
  const isKnown = era === 'modern' ? method !== 'initialize' : method !== 'server/discover';
  if (method === 'tools/call' && params.name === 'fail') return { error: { code: -32_000, message: WORDS } };
  if (result === undefined || !isKnown)
    return { error: { code: -32_601, message: `unknown method: ${method}` } };
  return { result: era === 'modern' ? { ...result, ...MODERN } : result };
}

function resultOf(method: string | undefined, params: NonNullable<Asked['params']>): object | undefined {
  const serverInfo = { name: 'sloppy', version: '1' };
  const capabilities = { tools: {} };
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities, serverInfo };
  if (method === 'server/discover')
    return {
      supportedVersions: ['2026-07-28'],
      capabilities,
      _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
    };
  if (method === 'ping') return {};
  if (method === 'tools/list')
    return {
      tools: [
        { name: 'say', ...TOOL },
        { name: 'fail', ...TOOL },
      ],
    };
  if (method !== 'tools/call') return undefined;
  const text = `caf\u00e9 ${String(params.arguments?.['a'])}`;
  return { content: [{ type: 'text', text }], structuredContent: { text, list: [1, null, true] } };
}
