import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import process from 'node:process';

import type { FixtureName } from '../fixture-list.js';
import { fixtureCommand } from '../fixture-path.js';
import { readLines } from '../raw/lines.js';
import type { RequestId } from '../raw/message.js';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The members of a result that the tests read. */
export interface Result {
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly nextCursor?: string;
  readonly [member: string]: unknown;
}

/** A message from the fixture, parsed. */
export interface Reply {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
}

/** How a fixture is started. */
export interface RawDriverOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly detached?: boolean;
}

/** Runs one fixture and talks to it in lines; every wait ends with an event of the process, never with a sleep. */
export class RawDriver {
  /** Lines of stdout, without their newlines. */
  readonly lines: string[] = [];
  /** Chunks of stdout as they were read. */
  readonly chunks: string[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #changes = new EventEmitter();
  #stderr = '';
  #stdinError: Error | undefined;
  #exit: Exit | undefined;
  #nextId = 1;

  constructor(name: FixtureName, options: RawDriverOptions = {}) {
    const { command, args } = fixtureCommand(name);
    const env = { ...process.env, ...options.env };
    this.#child = spawn(command, [...args, ...(options.args ?? [])], {
      env,
      detached: options.detached ?? false,
    });
    this.#changes.setMaxListeners(0);
    this.#listen();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** The error of a write to a fixture that has closed its stdin. */
  get stdinError(): Error | undefined {
    return this.#stdinError;
  }

  get stdoutEnded(): boolean {
    return this.#child.stdout.readableEnded;
  }

  /** Writes bytes to the fixture as they are. */
  write(bytes: string): void {
    this.#child.stdin.write(bytes);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Ends the fixture's stdin. */
  end(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a request without waiting and returns its id. */
  start(method: string, params: object = {}): RequestId {
    const id = this.#nextId++;
    this.send({ id, method, params });
    return id;
  }

  async request(method: string, params: object = {}): Promise<Reply> {
    return this.reply(this.start(method, params));
  }

  /** Calls a tool and returns the text of its first content block. */
  async call(name: string, args: object = {}): Promise<string> {
    return textOf(await this.request('tools/call', { name, arguments: args }));
  }

  async initialize(): Promise<Reply> {
    const clientInfo = { name: 'raw-driver', version: '1.0.0' };
    const reply = await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    });
    this.send({ method: 'notifications/initialized' });
    return reply;
  }

  /** The response to a request. */
  async reply(id: RequestId): Promise<Reply> {
    return this.message((message) => message.id === id && message.method === undefined);
  }

  /** The first message on stdout that fits; lines that are not JSON are passed over. */
  async message(fits: (message: Reply) => boolean): Promise<Reply> {
    return this.until(() => this.lines.map(parse).find((message) => message !== undefined && fits(message)));
  }

  /** Resolves as soon as stderr contains the text. */
  async stderrHas(text: string): Promise<void> {
    await this.until(() => this.#stderr.includes(text) || undefined);
  }

  async exit(): Promise<Exit> {
    return this.until(() => this.#exit);
  }

  async stdoutEnd(): Promise<void> {
    await this.until(() => this.stdoutEnded || undefined);
  }

  async until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(this.#changes, 'change');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGKILL');
    await this.exit();
    // descendants may hold the pipes open; this side has no more use for them
    for (const stream of this.#child.stdio) stream?.destroy();
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    const changed = (): void => void this.#changes.emit('change');
    stdin.on('error', (error) => {
      this.#stdinError = error;
      changed();
    });
    stdout.on('data', (chunk: Buffer) => this.chunks.push(chunk.toString()));
    readLines(stdout, (line) => this.lines.push(line.toString()));
    stdout.on('data', changed).on('end', changed);
    stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
      changed();
    });
    this.#child.on('exit', (code, signal) => {
      this.#exit = { code, signal };
      changed();
    });
  }
}

/** The text of the first content block of a tool result. */
export function textOf({ result }: Reply): string {
  return result?.content?.[0]?.text ?? '';
}

/** The text of each content block of a tool result. */
export function textsOf({ result }: Reply): readonly string[] {
  return (result?.content ?? []).map(({ text }) => text);
}

function parse(line: string): Reply | undefined {
  try {
    const message: Reply = JSON.parse(line);
    return message;
  } catch {
    // not JSON: for the tests that look at `lines` themselves
    return undefined;
  }
}
