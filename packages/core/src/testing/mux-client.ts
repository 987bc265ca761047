import { PassThrough } from 'node:stream';

import { forEachLine } from '@mcpmux/testing/each-line';
import type { ClientSession } from '../mux/client-session.js';
import type { ConnectOptions } from '../mux/connect-options.js';
import type { Mux } from '../mux/mux-api.js';

/** A response as a client reads it. */
export interface Response {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Waiting {
  readonly matches: (line: string) => boolean;
  readonly resolve: (line: string) => void;
}

/** A client of a mux over byte streams: it decides about every byte that it sends, and keeps every line that it gets. */
export class MuxClient {
  /** The lines from the mux so far. */
  readonly lines: string[] = [];
  readonly session: ClientSession;
  private readonly input = new PassThrough();
  private readonly output = new PassThrough();
  private waiting: Waiting[] = [];
  private nextId = 1;

  constructor(mux: Mux, options?: ConnectOptions, heldUntil?: Promise<unknown>) {
    const { input, output } = this;
    forEachLine(output, (line) => this.receive(line));
    this.session = mux.connect({ input, output, ...(heldUntil && { heldUntil }) }, options);
  }

  /** Connects and initializes a client. */
  static async initialized(
    mux: Mux,
    capabilities: object = {},
    options?: ConnectOptions,
  ): Promise<MuxClient> {
    const client = new MuxClient(mux, options);
    await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'test', version: '1' },
    });
    client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return client;
  }

  /** Sends one line, as it is. */
  send(line: string): void {
    this.input.write(`${line}\n`);
  }

  /** Closes the client's side. */
  end(): void {
    this.input.end();
  }

  /** Resolves with the first line that matches, of those that have come and those that will. */
  line(matches: (line: string) => boolean): Promise<string> {
    const known = this.lines.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.waiting.push({ matches, resolve }));
  }

  /** Resolves with the line that answers the request with this id, which is JSON text. */
  responseLine(id: string): Promise<string> {
    return this.line((line) => {
      const message = JSON.parse(line) as { readonly id?: unknown; readonly method?: string };
      return message.method === undefined && JSON.stringify(message.id) === id;
    });
  }

  /** Sends a request with an id of its own and resolves with its response. */
  async request(method: string, params: object = {}): Promise<Response> {
    const id = `r${this.nextId}`;
    this.nextId += 1;
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return JSON.parse(await this.responseLine(JSON.stringify(id))) as Response;
  }

  /** Calls a tool. */
  call(name: string, args: object = {}): Promise<Response> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** Calls a management tool that succeeds, and resolves with its structured content. */
  async manage(name: string, args: object = {}): Promise<Record<string, unknown>> {
    const { result, error } = await this.call(name, args);
    if (result === undefined || result['isError'] === true) throw new Error(JSON.stringify(result ?? error));
    return result['structuredContent'] as Record<string, unknown>;
  }

  /** Waits for the first request of this method that a server has put to this client, and gives its id and params. */
  async asked(method: string): Promise<{ readonly id: unknown; readonly params: Record<string, unknown> }> {
    const line = await this.line((one) => one.includes(`"method":"${method}"`) && one.includes('"id":'));
    return JSON.parse(line) as { readonly id: unknown; readonly params: Record<string, unknown> };
  }

  /** Answers a request of a server. */
  answer(id: unknown, result: object): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }

  /** The params of all notifications of this method so far. */
  notified(method: string): readonly Record<string, unknown>[] {
    const lines = this.lines.filter((line) => line.includes(`"method":"${method}"`));
    return lines.map((line) => (JSON.parse(line) as { readonly params: Record<string, unknown> }).params);
  }

  /** The entries of tools/list now. */
  async tools(): Promise<readonly Record<string, unknown>[]> {
    const { result } = await this.request('tools/list');
    return result?.['tools'] as readonly Record<string, unknown>[];
  }

  /** The names in tools/list of the tools of servers. */
  async serverTools(): Promise<readonly string[]> {
    const tools = await this.tools();
    return tools.map((tool) => String(tool['name'])).filter((name) => name.includes('__'));
  }

  /** How many notifications of this method have come. */
  count(method: string): number {
    return this.lines.filter((line) => line.includes(`"method":"${method}"`)).length;
  }

  /** Resolves when so many list_changed have come since the beginning. */
  async listChanged(count: number): Promise<void> {
    await this.line(() => this.count('notifications/tools/list_changed') >= count);
  }

  private receive(line: string): void {
    this.lines.push(line);
    const met = this.waiting.filter(({ matches }) => matches(line));
    this.waiting = this.waiting.filter((waiting) => !met.includes(waiting));
    for (const { resolve } of met) resolve(line);
  }
}
