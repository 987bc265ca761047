import type { Readable, Writable } from 'node:stream';

import { isObject, type JsonObject } from '@mcpmux/clients';

import { linesOf } from '../base/lines.js';

/** The error of a JSON-RPC response. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    message: string,
    readonly code: number,
  ) {
    super(message);
  }
}

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((params: JsonObject) => void) | undefined;
}

/** A client of a mux over byte streams: of a mux in this process, or over the socket of a running mcpmux. */
export class McpConnection {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private isEnded = false;

  private constructor(
    input: Readable,
    private readonly output: Writable,
  ) {
    const lines = linesOf(input);
    lines.on('data', (line: string) => this.receive(line));
    lines.on('end', () => this.end());
    output.on('error', () => this.end());
  }

  /**
   * Connects and waits for the answer to a ping. It sends no `initialize`: servers that start now would be told the
   * capabilities of this command instead of those of the agent.
   */
  static async open(input: Readable, output: Writable): Promise<McpConnection> {
    const connection = new McpConnection(input, output);
    await connection.request('ping');
    return connection;
  }

  /**
   * @param onProgress gets the parameters of each notification of progress; without it, none is asked for
   * @throws RpcError, or Error when the connection has ended
   */
  request(
    method: string,
    params: JsonObject = {},
    onProgress?: (params: JsonObject) => void,
  ): Promise<JsonObject> {
    if (this.isEnded) return Promise.reject(ended());
    const id = this.nextId;
    this.nextId += 1;
    const answered = new Promise<JsonObject>((resolve, reject) =>
      this.waiting.set(id, { resolve, reject, onProgress }),
    );
    const progress = onProgress === undefined ? {} : { _meta: { progressToken: id } };
    this.send({ id, method, params: { ...params, ...progress } });
    return answered;
  }

  /** Calls a tool of mcpmux itself. Resolves with the structured content. */
  async own(tool: string, args: JsonObject = {}): Promise<JsonObject> {
    const result = await this.request('tools/call', { name: tool, arguments: args });
    if (result['isError'] === true) throw new RpcError(textOf(result), 0);
    return isObject(result['structuredContent']) ? result['structuredContent'] : {};
  }

  /** Calls a tool of mcpmux itself. Resolves with the objects of one list in its structured content. */
  async ownList(tool: string, key: string, args: JsonObject = {}): Promise<readonly JsonObject[]> {
    const { [key]: list } = await this.own(tool, args);
    return Array.isArray(list) ? list.filter(isObject) : [];
  }

  /** All entries of a list, from all pages. */
  async list(method: string, key: string): Promise<readonly JsonObject[]> {
    const entries: JsonObject[] = [];
    let cursor: unknown;
    do {
      const page = await this.request(method, cursor === undefined ? {} : { cursor });
      const items: unknown = page[key];
      if (Array.isArray(items)) entries.push(...items.filter(isObject));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return entries;
  }

  close(): void {
    this.output.end();
  }

  private send(message: JsonObject): void {
    this.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  private receive(line: string): void {
    const message: unknown = JSON.parse(line);
    if (!isObject(message)) return;
    const { id, method, params, result, error } = message;
    if (method === 'notifications/progress' && isObject(params)) return this.progressed(params);
    if (typeof method === 'string') return this.answer(method, id);
    const waiting = typeof id === 'number' ? this.waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== 'number') return;
    this.waiting.delete(id);
    if (isObject(error)) waiting.reject(new RpcError(String(error['message']), Number(error['code'])));
    else waiting.resolve(isObject(result) ? result : {});
  }

  private progressed(params: JsonObject): void {
    const { progressToken: token } = params;
    if (typeof token === 'number') this.waiting.get(token)?.onProgress?.(params);
  }

  /** Answers requests of servers: only `ping` is supported. */
  private answer(method: string, id: unknown): void {
    if (id === undefined) return;
    if (method === 'ping') this.send({ id, result: {} });
    else
      this.send({ id, error: { code: -32601, message: 'The command line of mcpmux has no such method.' } });
  }

  private end(): void {
    this.isEnded = true;
    for (const { reject } of this.waiting.values()) reject(ended());
    this.waiting.clear();
  }
}

/** The texts of a tool's result, one after the other. */
export function textOf({ content }: JsonObject): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks
    .filter(isObject)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : `[${String(block['type'])}]`))
    .join('\n');
}

function ended(): Error {
  return new Error('the connection has ended');
}
