import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';

import type { RpcMessage } from '../testing/json-rpc.js';
import type { JsonObject, Seen } from './outcome.js';
import { Recorder } from './recorder.js';
import { Wire, type Program } from './wire.js';

/** What a client declares: everything that it can. */
const CAPABILITIES = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
  experimental: { 'vendor.example/client': { kept: true } },
} as const;

/** How the client answers a request of a server. */
export type Responder = (params: JsonObject, signal: AbortSignal) => JsonObject | Promise<JsonObject>;

/** An error with a code, as a client answers with it. */
export function refusal(code: number, message: string, data?: object): Error {
  return Object.assign(new Error(message), { code, ...(data && { data }) });
}

/** One client that a script drives: an SDK client, and raw messages on the same wire. */
export class SurfaceClient implements AsyncDisposable {
  readonly recorder = new Recorder();
  readonly sdk: Client;
  private readonly wire: Wire;
  private readonly responders = new Map<string, Responder>();

  /** @param prefix - what comes before the names of the server's tools and prompts */
  constructor(
    program: Program,
    readonly prefix: string,
  ) {
    this.wire = new Wire(program, this.recorder);
    this.sdk = new Client({ name: 'surface', version: '1.0.0' }, { capabilities: CAPABILITIES });
    this.sdk.onerror = (error) => this.recorder.add({ kind: 'sdk error', message: error.message });
    this.sdk.fallbackRequestHandler = async ({ method, params }, { signal }) => {
      const respond = this.responders.get(method);
      if (respond === undefined) throw refusal(-32601, 'Method not found');
      return respond((params ?? {}) as JsonObject, signal);
    };
    this.sdk.fallbackNotificationHandler = () => Promise.resolve();
  }

  connect(): Promise<void> {
    return this.sdk.connect(this.wire);
  }

  /** The name under which the server's tool or prompt is known here. */
  named(name: string): string {
    return `${this.prefix}${name}`;
  }

  /** From now on answers requests for this method so. */
  respond(method: string, responder: Responder): void {
    this.responders.set(method, responder);
  }

  /** Sends a request past the SDK. */
  raw(method: string, params: object = {}, id?: string | number): Promise<RpcMessage> {
    return this.wire.raw(method, params, id);
  }

  /** Calls a tool of the server past the SDK; `more` are further members of the params. */
  call(name: string, args: object = {}, more: object = {}): Promise<RpcMessage> {
    return this.raw('tools/call', { name: this.named(name), arguments: args, ...more });
  }

  notify(method: string, params?: object): void {
    this.wire.notify(method, params);
  }

  /** Waits for an answer through the SDK. An error of the peer is recorded anyway; one of the SDK is recorded here. */
  async settled(answer: Promise<unknown>): Promise<void> {
    try {
      await answer;
    } catch (error) {
      const isOfPeer = error instanceof McpError || (error as Error).name === 'AbortError';
      if (!isOfPeer) this.recorder.add({ kind: 'sdk error', message: String(error) });
    }
  }

  until(fits: (seen: Seen) => boolean): Promise<Seen> {
    return this.recorder.until(fits);
  }

  /** Resolves when a notification of this method has come in this step. */
  async notified(method: string): Promise<void> {
    await this.until((seen) => seen.kind === 'notification' && seen.method === method);
  }

  /** Resolves when the server has sent a request of this method in this step. */
  async requested(method: string): Promise<void> {
    await this.until((seen) => seen.kind === 'request' && seen.method === method);
  }

  /** Resolves when the list of this kind was announced to have changed. */
  listChanged(kind: 'tools' | 'resources' | 'prompts'): Promise<void> {
    return this.recorder.untilAnnounced(`notifications/${kind}/list_changed`);
  }

  /** Calls a tool without a trace in the record: whatever the server sent before has come when it is answered. */
  async fence(tool: string, args: object): Promise<void> {
    const id = 'fence';
    const answered = this.raw('tools/call', { name: this.named(tool), arguments: args }, id);
    this.recorder.hide(id);
    await answered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sdk.close();
  }
}
