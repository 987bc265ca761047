import { idKey, NULL_ID, PendingTable, type RawId } from '@mcpmux/wire';

import type { PostedRequest } from './posted-body.js';

/** The connection on which a client is waiting for a response. */
export interface ReplyConnection {
  readonly isConnected: boolean;
}

/** A client's request that has no response yet. */
export interface OpenRequest<Connection = unknown> {
  /** The `idKey` of the request's id. */
  readonly id: string;
  readonly method: string;
  readonly progressToken: string | undefined;
  readonly startedAt: number;
  /** The connection on which the client is waiting for the response. */
  readonly connection: Connection;
}

/** One client's requests in flight. Finds the request to which a message from the server belongs. */
export class OpenRequests<Connection extends ReplyConnection> {
  private readonly requestsById = new PendingTable<string, OpenRequest<Connection>>();
  private readonly requestsByToken = new PendingTable<string, OpenRequest<Connection>>();
  /** The id of the request that is currently being passed to the mux. */
  private currentId: string | undefined;

  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.requestsById.size;
  }

  /** The connections on which the client is waiting for responses. */
  get connections(): ReadonlySet<Connection> {
    return new Set([...this.requestsById.values()].map(({ connection }) => connection));
  }

  has(id: string): boolean {
    return this.requestsById.has(id);
  }

  /**
   * Registers a request and passes it to the mux. If `pass` causes an error without an id, that error is the response.
   */
  begin({ id, method, progressToken }: PostedRequest, connection: Connection, pass: () => void): void {
    const request = { id, method, progressToken, startedAt: this.now(), connection };
    this.requestsById.add(id, request);
    if (progressToken !== undefined) this.requestsByToken.add(progressToken, request);
    this.currentId = id;
    try {
      pass();
    } finally {
      this.currentId = undefined;
    }
  }

  /** Removes and returns the request to which a response with this id belongs. */
  takeAnswered(id: RawId): OpenRequest<Connection> | undefined {
    const key = id === NULL_ID ? this.currentId : idKey(id);
    return key === undefined ? undefined : this.takeById(key);
  }

  /** Removes and returns a request that has been answered or cancelled. */
  takeById(id: string): OpenRequest<Connection> | undefined {
    const request = this.requestsById.take(id);
    const token = request?.progressToken;
    if (token !== undefined && this.requestsByToken.peek(token) === request) this.requestsByToken.take(token);
    return request;
  }

  findByToken(token: string): OpenRequest<Connection> | undefined {
    return this.requestsByToken.peek(token);
  }

  /** Returns the newest request whose connection is still open. */
  findNewestConnected(): OpenRequest<Connection> | undefined {
    return [...this.requestsById.values()].findLast(({ connection }) => connection.isConnected);
  }

  /** Resolves when no request is in flight. */
  whenIdle(): Promise<void> {
    return this.requestsById.whenIdle();
  }
}
