import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';

/** A request from a server for a client. */
export type ServerRequestEvent = ServerEvent<Upstream, ServerRequest>;

/** Sends servers' requests to one client, over the client's connection or in the answer to the client's request. */
export interface Asker {
  /** The number of requests without an answer. */
  readonly pendingCount: number;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Identifies the client that answers: its connection, or else the request. No other client gets these requests. */
  readonly client: object;
  /** True while the client is answering a server's questions. The server asks no others for this request meanwhile. */
  readonly isWaiting: boolean;
  /** Returns the client's earlier answer to a request, if known. */
  cachedAnswer(ask: ServerRequestEvent, id: RawId): OutgoingLine | undefined;
  /** Sends a server's request to the client. */
  ask(ask: ServerRequestEvent, id: RawId): void;
  /** Records that a server's request needs a capability that the client has not declared. */
  recordMissingCapability(ask: ServerRequestEvent): void;
}
