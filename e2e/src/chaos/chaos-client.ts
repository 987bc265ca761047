import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import split from 'split2';

import { CLI, cleanEnvironment, NODE } from '../testing/built-cli.js';
import { parseMessage, type RpcMessage } from '../testing/json-rpc.js';

/** One request of the client and what became of it. */
export interface Call {
  readonly id: number;
  /** The server that it is for, the tool, and what an echo must return. */
  readonly server: string;
  readonly tool: string;
  readonly nonce: string;
  readonly sentAt: number;
  readonly answered: Promise<RpcMessage>;
  answer?: RpcMessage;
  /** Milliseconds from the request to its answer. */
  took?: number;
  isCancelled: boolean;
}

/** The built command and its only client. What must never happen is noted in `violations`. */
export class ChaosClient {
  readonly calls: Call[] = [];
  /** The calls in the order in which they were answered. */
  readonly answered: Call[] = [];
  readonly violations: string[] = [];
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Everything that mcpmux has written. */
  output = '';
  stderr = '';
  private readonly waiting = new Map<number, { call: Call; resolve: (answer: RpcMessage) => void }>();

  constructor(env: Readonly<Record<string, string>>) {
    this.child = spawn(NODE, [CLI, '--log-level', 'info'], { env: cleanEnvironment(env), stdio: 'pipe' });
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.child.stdout.pipe(split()).on('data', (line: string) => this.receive(line));
    this.ended = once(this.child, 'close').then(() => {
      return { code: this.child.exitCode, signal: this.child.signalCode };
    });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('mcpmux was not started');
    return this.child.pid;
  }

  /** Requests without an answer that were not cancelled. */
  get pending(): readonly Call[] {
    return this.calls.filter(({ answer, isCancelled }) => answer === undefined && !isCancelled);
  }

  /** Sends any request. */
  request(
    method: string,
    params: object,
    about: Partial<Pick<Call, 'server' | 'tool' | 'nonce'>> = {},
  ): Call {
    const id = this.calls.length + 1;
    let resolve: (answer: RpcMessage) => void = () => undefined;
    const answered = new Promise<RpcMessage>((settle) => (resolve = settle));
    const sentAt = performance.now();
    const call: Call = {
      server: '',
      tool: method,
      nonce: '',
      ...about,
      id,
      sentAt,
      answered,
      isCancelled: false,
    };
    this.calls.push(call);
    this.waiting.set(id, { call, resolve });
    this.write({ id, method, params });
    return call;
  }

  /** Calls a management tool. */
  manage(tool: string, args: object): Call {
    return this.request('tools/call', { name: tool, arguments: args }, { tool });
  }

  /** Calls a tool of a server. */
  call(server: string, tool: string, n = 0): Call {
    const nonce = `${server}-${this.calls.length}`;
    const params = { name: `${server}__${tool}`, arguments: { nonce, n } };
    return this.request('tools/call', params, { server, tool, nonce });
  }

  cancel(call: Call): void {
    call.isCancelled = true;
    this.write({ method: 'notifications/cancelled', params: { requestId: call.id } });
  }

  private write(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  private receive(line: string): void {
    this.output += line.length > 10_000 ? line.slice(0, 10_000) : line;
    try {
      const message = parseMessage(line);
      if (message.method === undefined) this.answer(message);
    } catch {
      this.violations.push(`stdout carries something else: ${line.slice(0, 200)}`);
    }
  }

  private answer(message: RpcMessage): void {
    const waiting = this.waiting.get(Number(message.id));
    if (waiting === undefined || typeof message.id !== 'number') {
      this.violations.push(
        `an answer to no request, or a second one: ${JSON.stringify(message).slice(0, 200)}`,
      );
      return;
    }
    this.waiting.delete(message.id);
    const { call } = waiting;
    call.answer = message;
    call.took = performance.now() - call.sentAt;
    this.answered.push(call);
    waiting.resolve(message);
  }
}
