import { idKey, NULL_ID, PendingTable, type RawId } from '@mcpmux/wire';

import type { PostedRequest } from './posted-message.js';

/** The connection on which a client waits for an answer. */
export interface ReplyConnection {
  readonly isConnected: boolean;
}

/** A request of the client that is not answered yet. */
export interface OpenRequest<Reply = unknown> {
  /** The `idKey` of its id. */
  readonly id: string;
  readonly method: string;
  readonly progressToken: string | undefined;
  readonly startedAt: number;
  /** The connection that waits for the answer. */
  readonly reply: Reply;
}

/** The requests of one client in flight. Finds the request that a message of a server belongs to. */
export class OpenRequests<Reply extends ReplyConnection> {
  private readonly byId = new PendingTable<string, OpenRequest<Reply>>();
  private readonly byToken = new PendingTable<string, OpenRequest<Reply>>();
  /** The request that the mux is being given. */
  private current: string | undefined;

  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.byId.size;
  }

  /** The connections that wait for answers. */
  get replies(): ReadonlySet<Reply> {
    return new Set([...this.byId.values()].map(({ reply }) => reply));
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  /** Enters a request, and gives it to the mux by `pass`. A refusal under no id that comes meanwhile is its answer. */
  open({ id, method, progressToken }: PostedRequest, reply: Reply, pass: () => void): void {
    const request = { id, method, progressToken, startedAt: this.now(), reply };
    this.byId.add(id, request);
    if (progressToken !== undefined) this.byToken.add(progressToken, request);
    this.current = id;
    try {
      pass();
    } finally {
      this.current = undefined;
    }
  }

  /** Removes and returns the request that is answered under an id. */
  answered(id: RawId): OpenRequest<Reply> | undefined {
    const key = id === NULL_ID ? this.current : idKey(id);
    return key === undefined ? undefined : this.take(key);
  }

  /** Removes and returns a request that was answered or given up. */
  take(id: string): OpenRequest<Reply> | undefined {
    const request = this.byId.take(id);
    const token = request?.progressToken;
    if (token !== undefined && this.byToken.peek(token) === request) this.byToken.take(token);
    return request;
  }

  ofToken(token: string): OpenRequest<Reply> | undefined {
    return this.byToken.peek(token);
  }

  /** The newest request whose connection is still open. */
  newestConnected(): OpenRequest<Reply> | undefined {
    return [...this.byId.values()].findLast(({ reply }) => reply.isConnected);
  }

  /** Resolves when no request is in flight. */
  whenIdle(): Promise<void> {
    return this.byId.whenIdle();
  }
}
