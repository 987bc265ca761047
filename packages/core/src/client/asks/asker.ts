import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';

/** A server's request that a client must answer. */
export type ServerRequestEvent = ServerEvent<Upstream, ServerRequest>;

/** Sends servers' requests to one client, over its connection or in the response to one of its requests. */
export interface Asker {
  /** The number of requests that the client has not answered yet. */
  readonly pendingCount: number;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The only client that may answer, identified by its session or, if it has none, by its request. */
  readonly client: object;
  /** True while the client answers questions before its retry. Other open requests, if any, then get new questions. */
  readonly isWaiting: boolean;
  /** Returns the client's cached answer to a request, if there is one. */
  cachedAnswer(ask: ServerRequestEvent, id: RawId): OutgoingLine | undefined;
  ask(ask: ServerRequestEvent, id: RawId): void;
  /** Records that a server's request needs a capability that the client has not declared. */
  recordMissingCapability(ask: ServerRequestEvent): void;
}
