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

/** The members of a message that show whether its client describes itself in each request. */
export type Claimed = Pick<Extract<Message, { kind: 'request' }>, 'method' | 'params'>;

/** A request as it arrived from a client. */
export interface IncomingRequest {
  readonly id: RawId;
  readonly line: Buffer;
  readonly request: Extract<Message, { kind: 'request' }>;
}

/** A notification about a task, with the id that the client knows. */
export interface TaskStatus {
  readonly line: Buffer;
  readonly isLast: boolean;
}

/** The open exchanges of the connection, or of the single message, that a request arrived on. */
export interface ExchangeTable {
  readonly caller: RequestOrigin;
  /** Adds an exchange and handles it. */
  begin(exchange: Exchange): void;
  /** Adds an exchange that is already running, under the id of a further request. */
  resume(id: RawId, exchange: Exchange): void;
  answered(id: RawId, line: OutgoingLine, from: Connection | undefined): void;
}

/** Takes the requests that describe their client, from any session. */
export interface StatelessRequests {
  readonly dialect: RequestDialect;
  /** Methods whose requests stay open until the session ends. */
  readonly standing: ReadonlySet<string>;
  /** Returns the client of the requests that arrived in a session, or undefined before the first request. */
  profileOf(caller: Caller): ClientProfile | undefined;
  /** True if a message comes, or may come, from a client that describes itself in each request. */
  claims(message: Claimed): boolean;
  /** Takes a request for which {@link claims} is true, and answers it now or later. */
  open(host: ExchangeTable, incoming: IncomingRequest): void;
  /**
   * Returns the abort for the client's notification that cancels a request, without the parts that describe the client.
   */
  cancellation(line: Buffer): Abort;
  /** Takes a question from a server that belongs to no request. Returns false if no client can be asked. */
  deferRequest(received: ServerEvent<Upstream, ServerRequest>, id: RawId): boolean;
  /** Returns the sink for the questions that a server asks for a task of such a client. */
  asksOfTask(connection: Connection, taskId: string): QuestionSink | undefined;
  /** Returns the status of a modern server's task for a client with a session. */
  statusOf(line: Buffer, taskId: string): TaskStatus | undefined;
  /** A server reports that a URL elicitation has ended. */
  elicitationEnded(connection: Connection, id: string): void;
  /** A client said that its roots have changed. */
  rootsChanged(client: Caller): void;
  /** A client has gone. */
  forget(client: Caller): void;
  /** Ends all work that waits for clients, because the mux ends. */
  close(): void;
}
