import type { Connection, ConnectionHandler } from './connection.js';
import { runLoad, type LoadPlan, type LoadSample } from './run-load.js';
import type { ScannedLine } from './scanned-line.js';

/** The params of the client's `initialize`. */
export const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'mcpmux-bench', version: '1' },
};

/** The `_meta` of each request of the modern era, with the capabilities of a real client. */
export const ENVELOPE = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'mcpmux-bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} }, roots: {} },
  },
} as const;

/** The members that are added to the params of every request: none in the legacy era. */
export type Envelope = Partial<typeof ENVELOPE>;

interface Waiter {
  readonly resolve: (line: ScannedLine) => void;
  readonly reject: (error: Error) => void;
}

/** An answer with the size of its line without its id. */
export interface Answer {
  readonly result: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}

/** An MCP client that does nothing but frame: single requests with every check, and load with the cheap ones. */
export class RawClient {
  private readonly waiting = new Map<number, Waiter>();
  private failure: Error | undefined;

  private readonly handler: ConnectionHandler = {
    line: (line) => this.receive(line),
    ended: (reason) => this.fail(reason),
  };

  /** @param nextId id of its first request; they count up */
  constructor(
    private readonly connection: Connection,
    private nextId = 1,
    readonly envelope: Envelope = {},
  ) {
    connection.listen(this.handler);
  }

  /** @throws Error if a message without a request has come, or the connection has ended */
  check(): void {
    if (this.failure) throw this.failure;
  }

  /** The opening: a handshake in the legacy era. */
  async initialize(): Promise<void> {
    if (this.envelope === ENVELOPE) {
      await this.request('server/discover');
      return;
    }
    await this.request('initialize', INITIALIZE);
    this.connection.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  /** @throws Error when the answer is an error, or an earlier answer came twice or for nothing */
  async request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    this.check();
    const id = this.nextId;
    this.nextId += 1;
    const line = await new Promise<ScannedLine>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.connection.send(
        JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, ...this.envelope } }),
      );
    });
    const text = line.text();
    const { result } = JSON.parse(text) as { result?: Answer['result'] };
    if (result === undefined) throw new Error(`${method}: ${text.slice(0, 500)}`);
    return { result, bytes: line.length - String(id).length };
  }

  /** @throws Error when the result says that the tool failed, too */
  async callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<Answer> {
    const answer = await this.request('tools/call', { name, arguments: args });
    if (answer.result['isError'] === true) throw new Error(`${name}: ${JSON.stringify(answer.result)}`);
    return answer;
  }

  /** Keeps calls in flight as the plan says. Meanwhile nothing else may be asked. */
  async load(plan: LoadPlan): Promise<LoadSample> {
    this.check();
    const frame = { firstId: this.nextId, afterwards: this.handler };
    const sample = await runLoad(this.connection, plan, frame);
    this.nextId += sample.calls;
    return sample;
  }

  private receive(line: ScannedLine): void {
    const { id, method } = JSON.parse(line.text()) as { id?: unknown; method?: unknown };
    if (method !== undefined) return;
    const waiter = typeof id === 'number' ? this.waiting.get(id) : undefined;
    if (typeof id !== 'number' || waiter === undefined) {
      this.fail(new Error(`an answer that nobody waits for, with the id ${JSON.stringify(id)}`));
      return;
    }
    this.waiting.delete(id);
    waiter.resolve(line);
  }

  private fail(reason: Error): void {
    this.failure ??= reason;
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }
}
