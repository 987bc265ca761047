import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';
import type { Ending } from './raw-cli.js';

export interface HttpCliOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What `add_server` may start; the default of the command when undefined is given. */
  readonly addPolicy?: string | undefined;
  /** The command, as a file; the built one when absent. */
  readonly program?: string;
  /** What follows `--http`. */
  readonly address?: string;
}

/** A request as it goes over the wire. */
export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | object;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export const ACCEPT = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
} as const;

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
} as const;

/** The built command as an HTTP server. */
export class HttpCli implements AsyncDisposable {
  stderr = '';
  readonly ended: Promise<Ending>;
  readonly child: ChildProcess;
  private readonly changes = new EventEmitter().setMaxListeners(0);

  private constructor(options: HttpCliOptions) {
    const { args = [], env = {}, address = '0', program = CLI } = options;
    const policy = 'addPolicy' in options ? options.addPolicy : 'allow';
    const policyFlag = policy === undefined ? [] : ['--add-policy', policy];
    const all = [program, 'serve', '--http', address, '--log-level', 'debug', ...policyFlag, ...args];
    this.child = spawn(NODE, all, { env: cleanEnvironment(env), stdio: ['ignore', 'inherit', 'pipe'] });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
      this.changes.emit('change');
    });
    this.ended = once(this.child, 'close').then(() => {
      this.changes.emit('change');
      return { code: this.child.exitCode, signal: this.child.signalCode };
    });
  }

  /** Starts it, and waits until it listens. */
  static async open(options: HttpCliOptions = {}): Promise<HttpCli> {
    const cli = new HttpCli(options);
    await cli.until(() => cli.stderr.includes('/mcp'));
    return cli;
  }

  /** Starts it where it is to refuse. */
  static async refused(options: HttpCliOptions): Promise<Ending & { readonly stderr: string }> {
    const cli = new HttpCli(options);
    return { ...(await cli.ended), stderr: cli.stderr };
  }

  get url(): URL {
    return new URL(/serving MCP at (\S+)/.exec(this.stderr)?.[1] ?? 'http://not.listening');
  }

  /** Sends a request as it is. Names of headers may come twice. */
  send({ method = 'GET', path = '/mcp', headers = {}, body }: RawRequest): Promise<RawAnswer> {
    const { hostname, port } = this.url;
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const pairs = { host: `${hostname}:${port}`, ...headers };
    return new Promise((resolve, reject) => {
      const outgoing = request({ hostname, port, method, path, headers: pairs, agent: false }, (response) => {
        let received = '';
        response.on('data', (chunk: Buffer) => (received += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
        );
        response.on('error', reject);
      });
      outgoing.on('error', reject).end(text);
    });
  }

  /** Opens a session and gives its id. */
  async session(headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const answer = await this.send({ method: 'POST', headers: { ...ACCEPT, ...headers }, body: INITIALIZE });
    return String(answer.headers['mcp-session-id']);
  }

  /** Resolves when the metric has that value. */
  async metric(name: string, value: number): Promise<void> {
    while (!(await this.send({ path: '/metrics' })).text.includes(`${name} ${value}\n`)) {
      if (this.child.exitCode !== null) throw new Error(`mcpmux has ended; stderr:\n${this.stderr}`);
    }
  }

  /** Resolves when it accepts no connection any more. */
  async gone(): Promise<void> {
    const isServed = (): Promise<boolean> =>
      this.send({ path: '/healthz' }).then(
        () => true,
        () => false,
      );
    while (await isServed());
  }

  /** Resolves as soon as that is so. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.child.exitCode !== null) throw new Error(`mcpmux has ended; stderr:\n${this.stderr}`);
      await once(this.changes, 'change');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGTERM');
    const { code, signal } = await this.ended;
    if (signal === 'SIGSEGV' || code === 70) throw new Error(`mcpmux crashed:\n${this.stderr}`);
  }
}
