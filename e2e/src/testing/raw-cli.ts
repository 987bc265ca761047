import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter, once } from 'node:events';

import split from 'split2';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';
import { parseMessage, type RpcMessage } from './json-rpc.js';

/** How the command ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RawCliOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A program and its first arguments that run the command, which they get as the further ones. */
  readonly through?: readonly string[];
  /** The command, when it is not the one that was built. */
  readonly cli?: string;
  /** Flags of Node.js itself. */
  readonly nodeFlags?: readonly string[];
  /** The end with the code of a defect is what the test is about. */
  readonly mayCrash?: boolean;
}

/** The built command as a subprocess, driven by bytes. Every line on its stdout is checked to be a JSON-RPC message. */
export class RawCli {
  /** Every message so far, in order. */
  readonly messages: RpcMessage[] = [];
  /** Every line of stdout so far, as it came. */
  readonly lines: string[] = [];
  stderr = '';
  readonly ended: Promise<Ending>;
  readonly child: ChildProcessWithoutNullStreams;
  /** A line that does not belong on stdout. */
  private violation: Error | undefined;
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private nextId = 1;

  private readonly mayCrash: boolean;

  constructor(options: RawCliOptions = {}) {
    const {
      args = ['--log-level', 'debug'],
      env = {},
      cwd,
      through = [],
      nodeFlags = [],
      cli = CLI,
    } = options;
    this.mayCrash = options.mayCrash ?? false;
    const [command = NODE, ...rest] = [...through, NODE, ...nodeFlags, cli, ...args];
    this.child = spawn(command, rest, { env: cleanEnvironment(env), cwd, stdio: 'pipe' });
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
      this.changes.emit('change');
    });
    const stdout = this.child.stdout.pipe(split());
    stdout.on('data', (line: string) => this.receive(line));
    const closed = once(this.child.stdout, 'close');
    this.ended = once(this.child, 'exit').then(async () => {
      await closed;
      this.changes.emit('change');
      return { code: this.child.exitCode, signal: this.child.signalCode };
    });
  }

  /** Sends a line as it is. */
  write(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  /** Sends a request and resolves with its response. */
  async request(method: string, params?: object, id: number | string = this.nextId++): Promise<RpcMessage> {
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.response(id);
  }

  /** Calls a tool and resolves with the response. */
  call(name: string, args: object = {}): Promise<RpcMessage> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** Performs the handshake of a 2025-11-25 client. */
  async initialize(): Promise<RpcMessage> {
    const clientInfo = { name: 'raw', version: '1' };
    const response = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    });
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return response;
  }

  /** The response with that id, of that type, as soon as it is there. */
  response(id: number | string | null): Promise<RpcMessage> {
    return this.until(() =>
      this.messages.find((message) => message.id === id && message.method === undefined),
    );
  }

  /** Resolves with what `look` finds, as soon as it finds something; rejects when the command has ended without. */
  async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      if (this.violation !== undefined) throw this.violation;
      const found = look();
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        await this.ended;
        const late = look();
        if (late !== undefined) return late;
        throw new Error(`mcpmux has ended; stderr:\n${this.stderr}`);
      }
      await once(this.changes, 'change');
    }
  }

  /** Throws when anything but JSON-RPC came on stdout. */
  checkStdout(): void {
    if (this.violation !== undefined) throw this.violation;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin.end();
    const { code, signal } = await this.ended;
    this.checkStdout();
    if (signal === 'SIGSEGV' || (code === 70 && !this.mayCrash))
      throw new Error(`mcpmux crashed:\n${this.stderr}`);
  }

  private receive(line: string): void {
    this.lines.push(line);
    try {
      this.messages.push(parseMessage(line));
    } catch (error) {
      this.violation = new Error(`stdout carries something else: ${line.slice(0, 200)}`, { cause: error });
    }
    this.changes.emit('change');
  }
}
