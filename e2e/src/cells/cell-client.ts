import type { Json, JsonObject, Seen } from '../surface/outcome.js';
import { Recorder } from '../surface/recorder.js';
import { Wire, type Program } from '../surface/wire.js';
import type { RpcMessage } from '../testing/json-rpc.js';
import type { Era } from './cell.js';
import type { EraPeer, RequestExtras, Responder } from './era-peer.js';
import { LegacyPeer } from './legacy-peer.js';
import { ModernPeer } from './modern-peer.js';

/** One client of one era that a script drives: an SDK client, and raw messages on the same wire. */
export class CellClient implements AsyncDisposable {
  readonly recorder = new Recorder();
  private readonly wire: Wire;
  private readonly peer: EraPeer;
  private level = 'debug';
  private readonly responders = new Map<string, Responder>();

  constructor(
    readonly era: Era,
    program: Program,
    readonly prefix: string,
  ) {
    this.wire = new Wire(program, this.recorder);
    const answer = (method: string, params: Json | undefined): JsonObject => this.answer(method, params);
    this.peer = era === 'legacy' ? new LegacyPeer(answer) : new ModernPeer(answer);
  }

  connect(): Promise<void> {
    return this.peer.connect(this.wire);
  }

  /** The name under which the server's tool or prompt is known here. */
  named(name: string): string {
    return `${this.prefix}${name}`;
  }

  /** From now on answers requests for this method so. */
  respond(method: string, responder: Responder): void {
    this.responders.set(method, responder);
  }

  /** Sends a request through the SDK. An error of the peer is recorded with its response. */
  async request(method: string, params: JsonObject = {}, extras?: RequestExtras): Promise<void> {
    await this.peer.request(method, params, extras).catch(() => undefined);
  }

  /** Calls a tool of the server through the SDK. */
  call(name: string, args: JsonObject = {}, extras?: RequestExtras): Promise<void> {
    return this.request('tools/call', { name: this.named(name), arguments: args }, extras);
  }

  /** Sends a request past the SDK, in the client's era. */
  raw(method: string, params: object = {}, id?: string | number): Promise<RpcMessage> {
    return this.wire.raw(method, this.peer.enveloped(params as JsonObject), id);
  }

  subscribe(uri: string): Promise<void> {
    return this.peer.subscribe(uri);
  }

  unsubscribe(uri: string): Promise<void> {
    return this.peer.unsubscribe(uri);
  }

  /** Log messages come from this level on: told once in the legacy era, with each request in the modern one. */
  async logging(level: string): Promise<void> {
    this.level = level;
    if (this.era === 'legacy') await this.request('logging/setLevel', { level });
  }

  /** Has the server log a message. */
  async logged(level: string): Promise<void> {
    const meta = { 'io.modelcontextprotocol/logLevel': this.level };
    const params = { name: this.named('log'), arguments: { level } };
    await this.raw('tools/call', this.era === 'legacy' ? params : { ...params, _meta: meta });
  }

  until(fits: (seen: Seen) => boolean): Promise<Seen> {
    return this.recorder.until(fits);
  }

  /** Resolves when a notification of this method has come in this step. */
  async notified(method: string): Promise<void> {
    await this.until((seen) => seen.kind === 'notification' && seen.method === method);
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
    await this.peer.close();
  }

  private answer(method: string, params: Json | undefined): JsonObject {
    const respond = this.responders.get(method);
    if (respond === undefined) throw Object.assign(new Error('Method not found'), { code: -32601 });
    return respond((params ?? {}) as JsonObject);
  }
}
