import { forEachLine } from '@mcpmux/testing/each-line';
import type { ProcessSpec } from '../process/process-spec.js';
import type { SpawnProcess } from '../process/server-process.js';
import { fakeChild, type FakeChild } from './fake-child.js';

/** Above the highest process id of any Linux: signals to such a process reach nobody. */
const FIRST_PID = 2 ** 30;

/** A request as a fake server gets it. */
export interface FakeRequest {
  readonly id: number;
  readonly method: string;
  readonly params?: { readonly cursor?: string };
}

/** What distinguishes one fake server from another. */
export interface FakeBehaviour {
  /** Sees every request first; calls `proceed` for the usual answer, now, later or never. */
  readonly intercept?: (request: FakeRequest, proceed: () => void, server: FakeServer) => void;
  /** Names of its tools. */
  readonly tools?: readonly string[];
  /** Goes on after the end of its stdin; only {@link FakeServer.exit} ends it. */
  readonly ignoresEof?: boolean;
}

/** A server without a process: it answers over streams in memory, and exits when its stdin ends. */
export class FakeServer {
  readonly child: FakeChild;
  /** The lines that it was sent. */
  readonly received: string[] = [];
  isAlive = true;
  private readonly closed: Promise<unknown>;

  constructor(
    readonly spec: ProcessSpec,
    readonly pid: number,
    private readonly behaviour: FakeBehaviour,
  ) {
    this.child = fakeChild(pid);
    const { stdout, stderr } = this.child;
    this.closed = Promise.all(
      [stdout, stderr].map((stream) => new Promise((resolve) => stream.on('close', resolve))),
    );
    forEachLine(this.child.stdin, (line) => this.receive(line));
    this.child.stdin.on('end', () => {
      if (behaviour.ignoresEof !== true) this.exit(0);
    });
  }

  /** Writes lines to its stdout as they are. */
  send(...lines: readonly string[]): void {
    if (this.isAlive) this.child.stdout.write(lines.map((line) => `${line}\n`).join(''));
  }

  answer({ id }: FakeRequest, result: unknown): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }

  /** Ends as a process does: its exit is told first, the end of its pipes once they were read. */
  exit(exitCode: number | null, signal: NodeJS.Signals | null = null): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    const { child } = this;
    child.stdout.end();
    child.stderr.end();
    child.emit('exit', exitCode, signal);
    void this.closed.then(() => child.emit('close', exitCode, signal));
  }

  private receive(line: string): void {
    this.received.push(line);
    const request: Partial<FakeRequest> = JSON.parse(line);
    const { id, method, params } = request;
    if (id === undefined || method === undefined) return;
    const whole = { id, method, ...(params && { params }) };
    const proceed = (): void => this.proceed(whole);
    if (this.behaviour.intercept === undefined) proceed();
    else this.behaviour.intercept(whole, proceed, this);
  }

  private proceed(request: FakeRequest): void {
    const { tools = [] } = this.behaviour;
    if (request.method === 'initialize') {
      this.answer(request, { protocolVersion: '2025-11-25', capabilities: { tools: {} } });
    } else if (request.method === 'tools/list') {
      this.answer(request, { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) });
    } else if (request.method === 'tools/call') {
      this.answer(request, { content: [] });
    } else if (request.method === 'server/discover') {
      const error = { code: -32_601, message: 'Method not found' };
      this.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, error }));
    }
  }
}

/** Starts {@link FakeServer}s in place of processes. */
export class FakeSpawner {
  readonly servers: FakeServer[] = [];

  /** @param behaviourOf - how the server behaves that is started so; by default it answers */
  constructor(private readonly behaviourOf: (spec: ProcessSpec) => FakeBehaviour = () => ({})) {}

  readonly spawn: SpawnProcess = (spec) => {
    const server = new FakeServer(spec, FIRST_PID + this.servers.length, this.behaviourOf(spec));
    this.servers.push(server);
    return server.child;
  };

  get alive(): readonly FakeServer[] {
    return this.servers.filter(({ isAlive }) => isAlive);
  }

  /** The one that was started last. */
  get last(): FakeServer {
    const last = this.servers.at(-1);
    if (last === undefined) throw new Error('no server was started');
    return last;
  }
}
