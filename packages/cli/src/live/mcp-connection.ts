import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { isObject, type JsonObject } from '@mcpmux/clients';

/** What a peer answers with instead of a result. */
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
}

/** A client of a mux, over byte streams: those of a mux in this process, or the socket of one that runs. */
export class McpConnection {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private isEnded = false;

  private constructor(
    input: Readable,
    private readonly output: Writable,
  ) {
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => this.receive(line));
    lines.on('close', () => this.end());
    output.on('error', () => this.end());
    input.on('error', () => this.end());
  }

  /**
   * Connects and waits for a sign of life. There is no `initialize`: servers are told what the agent can do, and a command that
   * introduced itself, too, would take its place for those that start now.
   */
  static async open(input: Readable, output: Writable): Promise<McpConnection> {
    const connection = new McpConnection(input, output);
    await connection.request('ping');
    return connection;
  }

  /** @throws RpcError, or Error when the connection has ended */
  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    if (this.isEnded) return Promise.reject(ended());
    const id = this.nextId;
    this.nextId += 1;
    const answered = new Promise<JsonObject>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.send({ id, method, params });
    return answered;
  }

  /** The structured content of a tool of mcpmux itself. */
  async own(tool: string, args: JsonObject = {}): Promise<JsonObject> {
    const result = await this.request('tools/call', { name: tool, arguments: args });
    if (result['isError'] === true) throw new RpcError(textOf(result), 0);
    return isObject(result['structuredContent']) ? result['structuredContent'] : {};
  }

  /** The objects of a list in what a tool of mcpmux itself answers. */
  async ownList(tool: string, key: string, args: JsonObject = {}): Promise<readonly JsonObject[]> {
    const { [key]: list } = await this.own(tool, args);
    return Array.isArray(list) ? list.filter(isObject) : [];
  }

  /** Everything that a list has, page by page. */
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
    const { id, method, result, error } = message;
    if (typeof method === 'string') return this.answer(method, id);
    const waiting = typeof id === 'number' ? this.waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== 'number') return;
    this.waiting.delete(id);
    if (isObject(error)) waiting.reject(new RpcError(String(error['message']), Number(error['code'])));
    else waiting.resolve(isObject(result) ? result : {});
  }

  /** Nothing is offered to servers but a sign of life. */
  private answer(method: string, id: unknown): void {
    if (id === undefined) return;
    if (method === 'ping') this.send({ id, result: {} });
    else
      this.send({ id, error: { code: -32601, message: 'The command line of mcpmux does not offer this.' } });
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
