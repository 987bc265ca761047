import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** A connected process: its role in the fixture and its process id. */
export interface Life {
  readonly role: string;
  readonly pid: number;
}

const HOST = '127.0.0.1';
const INTRODUCTION_DEADLINE_MS = 10_000;

/**
 * Reports to a test which processes of a fixture are alive, without polling process ids.
 *
 * A process with `address` in the environment variable `LIFELINE` connects and sends one JSON line about itself. The
 * kernel closes the connection when the process ends for any reason. Closing the lifeline ends every connected process,
 * so a failed test leaves no process running.
 */
export class Lifeline {
  /** `host:port`, the value for the environment variable `LIFELINE`. */
  readonly address: string;
  readonly #server: Server;
  readonly #connections = new Map<Socket, Life | undefined>();
  readonly #changes = new EventEmitter();

  private constructor(server: Server, port: number) {
    this.address = `${HOST}:${port}`;
    this.#server = server;
    server.on('connection', (socket) => this.#admit(socket));
  }

  /** Opens a lifeline on a free port of 127.0.0.1. */
  static async open(): Promise<Lifeline> {
    const server = createServer();
    server.listen(0, HOST);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the lifeline has no TCP port');
    return new Lifeline(server, address.port);
  }

  /** The connected processes that have already reported their role and id. */
  get alive(): Life[] {
    return [...this.#connections.values()].filter((life) => life !== undefined);
  }

  /** Resolves to the connected processes as soon as there are at least `count` of them. */
  async waitForAlive(count: number, deadlineMs: number = INTRODUCTION_DEADLINE_MS): Promise<Life[]> {
    await this.#until(
      () => this.alive.length >= count,
      deadlineMs,
      () => `${count} processes expected to be alive, ${this.#describe()}`,
    );
    return this.alive;
  }

  /** Resolves when every connection has ended. Rejects at the deadline, naming the remaining processes. */
  async waitForAllGone(deadlineMs: number): Promise<void> {
    await this.#until(
      () => this.#connections.size === 0,
      deadlineMs,
      () => `all processes expected to be gone, ${this.#describe()}`,
    );
  }

  /** Resolves when the process with this id is no longer connected. Rejects at the deadline. */
  async waitForGone(pid: number, deadlineMs: number): Promise<void> {
    await this.#until(
      () => !this.alive.some((life) => life.pid === pid),
      deadlineMs,
      () => `pid ${pid} expected to be gone, ${this.#describe()}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#connections.keys()) socket.destroy();
    await closed;
  }

  #admit(socket: Socket): void {
    this.#connections.set(socket, undefined);
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (this.#connections.get(socket) !== undefined || !received.includes('\n')) return;
      const life: Life = JSON.parse(received);
      this.#connections.set(socket, life);
      this.#changes.emit('change');
    });
    // Killing a process may reset its connection. The `close` event that follows is sufficient.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#connections.delete(socket);
      this.#changes.emit('change');
    });
  }

  async #until(reached: () => boolean, deadlineMs: number, complaint: () => string): Promise<void> {
    const signal = AbortSignal.timeout(deadlineMs);
    while (!reached()) {
      try {
        await once(this.#changes, 'change', { signal });
      } catch (error) {
        throw new Error(`${complaint()} after ${deadlineMs} ms`, { cause: error });
      }
    }
  }

  #describe(): string {
    const descriptions = [...this.#connections.values()].map((life) =>
      life === undefined ? 'one not yet introduced' : `${life.role} (pid ${life.pid})`,
    );
    return `alive: ${descriptions.length === 0 ? 'none' : descriptions.join(', ')}`;
  }
}
