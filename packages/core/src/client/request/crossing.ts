import type { BorrowedLine, Edit, OutgoingLine, OwnedLine } from '@mcpmux/wire';
import type { Era } from '../../server/dialect/era.js';
import type { OutgoingCall } from '../../server/link/calls.js';
import type { Connection } from '../../server/link/connection.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import type { Upstream } from '../../server/upstream.js';
import type { Affinity } from '../caller/affinity.js';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from './exchange.js';

/** The forwarded call of a {@link Crossing}, with the functions that continue or answer it. */
export interface CrossingCall {
  readonly exchange: Exchange;
  readonly connection: Connection;
  /** Sends a further request for the call on the same connection. Fails the call if the request cannot be sent. */
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
  /**
   * Reads a response. Returns the edits to it, or undefined if it must not be forwarded, because the call continues or
   * the crossing has answered the exchange.
   */
  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined;
  /** Called when the exchange is aborted. Withdraws the crossing's own requests. */
  onAbort?(): void;
}

/** Records which client or principal owns each server task. */
export type TaskOwners = Pick<
  Affinity<Caller>,
  'addTask' | 'addPrincipalTask' | 'isForeignTask' | 'isKnownForeignTask' | 'isTaskListedFor' | 'ledger'
>;

/** The server side of a crossing, and the record of who owns which task. */
export interface CrossedServer {
  readonly upstream: Upstream;
  readonly connection: Connection;
  readonly owners: TaskOwners;
  /** The definition of the called tool. Absent if the request is not a tool call. */
  readonly tool?: Buffer | undefined;
}

/** Starts the crossing of one request. Returns undefined if the exchange was answered instead. */
export type Bridge = (exchange: Exchange, server: CrossedServer) => Crossing | undefined;

/**
 * The bridges, by the client's era and then the server's era. Absent if messages need no translation between the two.
 */
export type Bridges = Readonly<Record<Era, Partial<Readonly<Record<Era, Bridge>>>>>;
