import type { BorrowedLine, Edit, OutgoingLine, OwnedLine } from '@mcpmux/wire';
import type { Era } from '../../server/dialect/era.js';
import type { OutgoingCall } from '../../server/link/calls.js';
import type { Connection } from '../../server/link/connection.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import type { Upstream } from '../../server/upstream.js';
import type { Affinity } from '../caller/affinity.js';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from './exchange.js';

/** The actions of a {@link Crossing} on its forwarded request. */
export interface CrossingCall {
  readonly exchange: Exchange;
  readonly connection: Connection;
  /** Sends another request on the same connection, for the same crossing. Fails the call if it cannot be sent. */
  resend(request: OutgoingCall): void;
  /** Answers the exchange in place of the server. */
  finish(line: OutgoingLine): void;
}

/** One request that mcpmux translates between eras, or whose answer it completes. */
export interface Crossing {
  /** The edits to make to the request. */
  readonly edits: readonly Edit[];
  /** Called after the request was sent. `request` includes all edits. */
  onSent?(request: OutgoingCall): void;
  /** Called for each progress notification. Returns false if the client must not get it. */
  onProgress?(line: OwnedLine): boolean;
  /** Reads a response. Returns the edits to it; undefined if the call continues or the crossing has answered. */
  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined;
  /** Called when the exchange is aborted. Withdraws the crossing's own requests. */
  onAbort?(): void;
}

/** Remembers the owners of servers' tasks. */
export type TaskOwners = Pick<
  Affinity<Caller>,
  'addTask' | 'addPrincipalTask' | 'isForeignTask' | 'isKnownForeignTask' | 'isTaskListedFor' | 'ledger'
>;

/** The server of a crossing, the connection and the tool of its request, and the owners of the server's tasks. */
export interface CrossedServer {
  readonly upstream: Upstream;
  readonly connection: Connection;
  readonly owners: TaskOwners;
  /** The definition of the tool that the request calls. Absent for other requests. */
  readonly tool?: Buffer | undefined;
}

/** Starts the crossing of one request. Returns undefined if the exchange was answered instead. */
export type Bridge = (exchange: Exchange, server: CrossedServer) => Crossing | undefined;

/** The bridges by the client's era, then the server's; absent for eras between which bytes pass unchanged. */
export type Bridges = Readonly<Record<Era, Partial<Readonly<Record<Era, Bridge>>>>>;
