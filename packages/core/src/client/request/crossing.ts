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
  /** Sends one more request to the same run. Its answer comes to the same crossing. A request that cannot be sent ends the call. */
  sendAgain(request: OutgoingCall): void;
  /** Answers the exchange in place of the server. */
  finish(line: OutgoingLine): void;
}

/** One request of a client on its way to a server that speaks another era, or whose answers mcpmux completes. */
export interface Crossing {
  /** Replacements in the request. */
  readonly edits: readonly Edit[];
  /** The request is on its way, with all replacements. */
  sent?(request: OutgoingCall): void;
  /** Progress has come. Returns false for one that is not for the client. */
  progressed?(line: OwnedLine): boolean;
  /** Reads an answer. Returns the replacements in it; undefined when the call is not over yet, or was answered here. */
  answered(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined;
  /** The exchange has ended before it was answered: what the crossing itself has asked is withdrawn. */
  aborted?(): void;
}

/** Remembers whose the tasks of servers are. */
export type TaskOwners = Pick<
  Affinity<Caller>,
  'taskMade' | 'taskOfPrincipal' | 'isTaskOfAnother' | 'isKnownOfAnother' | 'isListedFor' | 'ledger'
>;

/** Begins the crossing of one request, or answers the exchange: then nothing is sent. */
export type Bridge = (
  exchange: Exchange,
  upstream: Upstream,
  connection: Connection,
  owners: TaskOwners,
) => Crossing | undefined;

/** The bridge from a client's era to a server's; none where bytes pass as they are. */
export type Bridges = Readonly<Record<Era, Partial<Readonly<Record<Era, Bridge>>>>>;
