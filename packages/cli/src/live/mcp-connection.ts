import type { Readable, Writable } from 'node:stream';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { contentBlocks } from '@mcpmux/core';

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

/**
 * A client of a mux over byte streams. The mux is in this process, or is reached over the socket of a running mcpmux.
 */
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
   * Connects and waits for the response to a ping. Does not send `initialize`, because servers that start now would
   * then get the capabilities of this command instead of the agent's capabilities.
   */
  static async open(input: Readable, output: Writable): Promise<McpConnection> {
    const connection = new McpConnection(input, output);
    await connection.request('ping');
    return connection;
  }

  /**
   * @param onProgress receives the parameters of each progress notification. Without it, the request does not ask for
   * progress.
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

  /** Calls one of mcpmux's own tools. Resolves with the structured content. */
  async own(tool: string, args: JsonObject = {}): Promise<JsonObject> {
    const result = await this.request('tools/call', { name: tool, arguments: args });
    if (result['isError'] === true) throw new RpcError(textOf(result), 0);
    return isObject(result['structuredContent']) ? result['structuredContent'] : {};
  }

  /** Calls one of mcpmux's own tools. Resolves with the objects of one list in the structured content. */
  async ownList(tool: string, key: string, args: JsonObject = {}): Promise<readonly JsonObject[]> {
    const { [key]: list } = await this.own(tool, args);
    return Array.isArray(list) ? list.filter(isObject) : [];
  }

  /** Returns all entries of a list, from all pages. */
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

  /** Answers requests from servers. Only `ping` is supported. */
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

/** Returns the text contents of a tool's result, one after the other. */
export function textOf(result: JsonObject): string {
  return contentBlocks(result)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : `[${String(block['type'])}]`))
    .join('\n');
}

function ended(): Error {
  return new Error('the connection has ended');
}
