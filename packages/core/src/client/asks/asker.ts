import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';

/** A request from a server for a client, as it arrived. */
export type Ask = ServerEvent<Upstream, ServerRequest>;

/** Puts the requests of servers to one client: over its connection, or in the answer to its request. */
export interface Asker {
  /** The number of requests without an answer. */
  readonly size: number;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /**
   * The client that answers: a connection, or the request itself if it has none. No other client gets its requests.
   */
  readonly client: object;
  /**
   * True while the client has the questions of a server in an answer. The server asks no further question for this
   * request meanwhile.
   */
  readonly isWaiting: boolean;
  /** Returns the answer to a request if the client has given it before. */
  known(ask: Ask, id: RawId): OutgoingLine | undefined;
  /** Puts a server's request to the client. */
  ask(ask: Ask, id: RawId): void;
  /** A server has asked for a capability that the client has not declared. */
  missingCapability(ask: Ask): void;
}
