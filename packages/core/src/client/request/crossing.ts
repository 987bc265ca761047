import type { BorrowedLine, Edit, OutgoingLine, OwnedLine } from '@mcpmux/wire';
import type { Era } from '../../server/dialect/era.js';
import type { OutgoingCall } from '../../server/link/calls.js';
import type { Connection } from '../../server/link/connection.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import type { Upstream } from '../../server/upstream.js';
import type { Affinity } from '../caller/affinity.js';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from './exchange.js';

/** A forwarded request, as a {@link Crossing} may act on it. */
export interface CrossingCall {
  readonly exchange: Exchange;
  readonly connection: Connection;
  /**
   * Sends one more request on the same connection. Its response goes to the same crossing. If it cannot be sent, the
   * call ends.
   */
  sendAgain(request: OutgoingCall): void;
  /** Answers the exchange in place of the server. */
  finish(line: OutgoingLine): void;
}

/** One request from a client to a server of another era, or to a server whose answers mcpmux completes. */
export interface Crossing {
  /** Replacements in the request. */
  readonly edits: readonly Edit[];
  /** The request was sent, with all replacements. */
  sent?(request: OutgoingCall): void;
  /** Progress has arrived. Returns false if it must not be sent to the client. */
  progressed?(line: OwnedLine): boolean;
  /**
   * Reads a response. Returns the replacements in it, or undefined if the call has not ended or has been answered here.
   */
  answered(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined;
  /** The exchange has ended before it was answered. Withdraws the crossing's own requests. */
  aborted?(): void;
}

/** Remembers the owners of servers' tasks. */
export type TaskOwners = Pick<
  Affinity<Caller>,
  'taskMade' | 'taskOfPrincipal' | 'isTaskOfAnother' | 'isKnownOfAnother' | 'isListedFor' | 'ledger'
>;

/** The server of a crossing, the connection and the tool of its request, and the owners of the server's tasks. */
export interface CrossedServer {
  readonly upstream: Upstream;
  readonly connection: Connection;
  readonly owners: TaskOwners;
  /** The definition of the tool that the request calls. Absent for other requests. */
  readonly tool?: Buffer | undefined;
}

/** Starts the crossing of one request, or answers the exchange; then nothing is sent. */
export type Bridge = (exchange: Exchange, server: CrossedServer) => Crossing | undefined;

/** The bridge from a client's era to a server's; absent if bytes pass unchanged. */
export type Bridges = Readonly<Record<Era, Partial<Readonly<Record<Era, Bridge>>>>>;
