import type { Message, OutgoingLine, RawId } from '@mcpmux/wire';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { Connection } from '../../server/link/connection.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import type { QuestionSink } from '../asks/question-sink.js';
import type { Caller, RequestOrigin } from '../caller/caller.js';
import type { RequestDialect } from '../methods/client-dialect.js';
import type { Abort, Exchange } from '../request/exchange.js';

/** The members of a message that show if its client describes itself in each request. */
export type Claimed = Pick<Extract<Message, { kind: 'request' }>, 'method' | 'params'>;

/** A request as it came from a client. */
export interface IncomingRequest {
  readonly id: RawId;
  readonly line: Buffer;
  readonly request: Extract<Message, { kind: 'request' }>;
}

/** A notification of a task, with the id that the client knows. */
export interface TaskStatus {
  readonly line: Buffer;
  readonly isLast: boolean;
}

/** The open exchanges of the connection, or of the single message, that a request came by. */
export interface ExchangeTable {
  readonly caller: RequestOrigin;
  /** Enters an exchange and handles it. */
  begin(exchange: Exchange): void;
  /** Enters an exchange that is at work already, under the id of a further request. */
  resume(id: RawId, exchange: Exchange): void;
  answered(id: RawId, line: OutgoingLine, from: Connection | undefined): void;
}

/** Takes the requests that describe their client themselves, whatever session they came by. */
export interface StatelessRequests {
  readonly dialect: RequestDialect;
  /** Methods whose requests stay open until the session ends. */
  readonly standing: ReadonlySet<string>;
  /** The client of the requests that came by a session; undefined before the first. */
  profileOf(caller: Caller): ClientProfile | undefined;
  /** True if a message is, or may be, of a client that describes itself in each request. */
  claims(message: Claimed): boolean;
  /** Takes a request that it claims: the request is answered, now or later. */
  open(host: ExchangeTable, incoming: IncomingRequest): void;
  /** The client's notification that cancels a request, without what describes the client. */
  cancellation(line: Buffer): Abort;
  /** Takes a question of a server that belongs to no request. Returns false when it can be put to nobody. */
  deferRequest(received: ServerEvent<Upstream, ServerRequest>, id: RawId): boolean;
  /** Takes what a server asks for a task of such a client. */
  asksOfTask(connection: Connection, taskId: string): QuestionSink | undefined;
  /** Returns the status of a task of a modern server for a client with a session. */
  statusOf(line: Buffer, taskId: string): TaskStatus | undefined;
  /** A server says that what a user was to do at a URL is over. */
  elicitationEnded(connection: Connection, id: string): void;
  /** A client said that its roots have changed. */
  rootsChanged(client: Caller): void;
  /** A client has gone. */
  forget(client: Caller): void;
  /** The mux ends: whatever waits for clients is given up. */
  close(): void;
}
