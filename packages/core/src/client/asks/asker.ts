import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';

/** A server's request that a client must answer. */
export type ServerRequestEvent = ServerEvent<Upstream, ServerRequest>;

/** Sends servers' requests to one client: over its connection, or in the answer to one of its requests. */
export interface Asker {
  /** The number of requests that the client has not answered. */
  readonly pendingCount: number;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Identifies the answering client: its connection or, without one, its request. No other client is asked. */
  readonly client: object;
  /** True while the request waits for answers. New questions then go to other work in flight, if there is any. */
  readonly isWaiting: boolean;
  /** Returns the client's cached answer to a request, if there is one. */
  cachedAnswer(ask: ServerRequestEvent, id: RawId): OutgoingLine | undefined;
  /** Sends a server's request to the client. */
  ask(ask: ServerRequestEvent, id: RawId): void;
  /** Records that a server's request needs a capability that the client has not declared. */
  recordMissingCapability(ask: ServerRequestEvent): void;
}
