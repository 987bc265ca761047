import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

import split from 'split2';

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import { parseMessage, type RpcMessage } from '../testing/json-rpc.js';

/** What watches a wire. */
export interface Tap {
  sent(message: RpcMessage): void;
  received(message: RpcMessage): void;
  unreadable(error: Error): void;
}

/** A program to talk to. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Not mcpmux. */
  readonly isServer?: boolean;
}

/** The transport of an SDK client that shows every message to a tap, and sends and takes raw messages as well. */
export class Wire implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly exited: Promise<unknown>;
  private readonly waiting = new Map<unknown, (message: RpcMessage) => void>();
  /** Of raw requests: the SDK knows nothing of them. */
  private readonly tokens = new Set<unknown>();
  private nextId = 1;

  constructor(
    private readonly program: Program,
    private readonly tap: Tap,
  ) {
    const { command, args, env } = program;
    this.child = spawn(command, args, { env: { ...env }, stdio: 'pipe' });
    this.exited = once(this.child, 'exit');
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.resume();
  }

  async start(): Promise<void> {
    this.child.stdout.pipe(split()).on('data', (line: string) => this.receive(line));
    this.child.on('close', () => this.onclose?.());
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(message as RpcMessage);
    return Promise.resolve();
  }

  /** Sends a request past the SDK, with an id of its own, and resolves with the response. */
  raw(method: string, params: object, id: string | number = `raw-${this.nextId++}`): Promise<RpcMessage> {
    const answered = new Promise<RpcMessage>((resolve) => this.waiting.set(id, resolve));
    const { _meta: meta } = params as { readonly _meta?: { readonly progressToken?: unknown } };
    if (meta?.progressToken !== undefined) this.tokens.add(meta.progressToken);
    this.write({ jsonrpc: '2.0', id, method, params: { ...params } });
    return answered;
  }

  /** Sends a notification past the SDK. */
  notify(method: string, params?: object): void {
    this.write({ jsonrpc: '2.0', method, ...(params && { params: { ...params } }) });
  }

  async close(): Promise<void> {
    this.child.stdin.end();
    // a server may go on after the end of its stdin; mcpmux ends all that it has started
    if (this.program.isServer === true) this.child.kill();
    await this.exited;
  }

  private write(message: RpcMessage): void {
    this.tap.sent(message);
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  private receive(line: string): void {
    let message: RpcMessage;
    try {
      message = parseMessage(line);
    } catch (error) {
      return this.tap.unreadable(error as Error);
    }
    this.tap.received(message);
    if (message.method === 'notifications/progress' && this.tokens.has(message.params?.['progressToken']))
      return;
    const resolve = message.method === undefined ? this.waiting.get(message.id) : undefined;
    if (resolve === undefined) return this.onmessage?.(message as JSONRPCMessage);
    this.waiting.delete(message.id);
    resolve(message);
  }
}
