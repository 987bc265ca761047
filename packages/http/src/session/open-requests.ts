import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** A request of the client that is not answered yet. */
export interface OpenRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly progressToken: RequestId | undefined;
  readonly startedAt: number;
  /** True while the connection that waits for the answer is open. */
  isConnected: boolean;
}

/** The requests of one client in flight. Finds the request that a message of a server belongs to. */
export class OpenRequests {
  private readonly byId = new Map<RequestId, OpenRequest>();
  private readonly byToken = new Map<RequestId, OpenRequest>();
  private onIdle: (() => void)[] = [];

  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.byId.size;
  }

  has(id: RequestId): boolean {
    return this.byId.has(id);
  }

  opened(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) return;
    const { id, method, params } = message;
    const { progressToken } = params?.['_meta'] ?? {};
    const request = { id, method, progressToken, startedAt: this.now(), isConnected: true };
    this.byId.set(id, request);
    if (progressToken !== undefined) this.byToken.set(progressToken, request);
  }

  /** Removes and returns a request that was answered or given up. */
  take(id: RequestId): OpenRequest | undefined {
    const request = this.byId.get(id);
    if (request === undefined) return undefined;
    this.byId.delete(id);
    const { progressToken } = request;
    if (progressToken !== undefined && this.byToken.get(progressToken) === request) {
      this.byToken.delete(progressToken);
    }
    if (this.byId.size === 0) this.tellIdle();
    return request;
  }

  disconnected(id: RequestId): void {
    const request = this.byId.get(id);
    if (request !== undefined) request.isConnected = false;
  }

  ofToken(token: RequestId): OpenRequest | undefined {
    return this.byToken.get(token);
  }

  /** The newest request whose connection is still open. */
  newestConnected(): OpenRequest | undefined {
    return [...this.byId.values()].findLast(({ isConnected }) => isConnected);
  }

  /** Resolves when no request is in flight. */
  async whenIdle(): Promise<void> {
    if (this.byId.size > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
  }

  private tellIdle(): void {
    const waiting = this.onIdle;
    this.onIdle = [];
    for (const resolve of waiting) resolve();
  }
}
