import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { Connection } from '../../server/link/connection.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Question } from './server-requests.js';

/** Takes what servers ask during one request of a client that cannot be sent requests: it is asked in the answer. */
export interface QuestionSink {
  /** Questions without an answer. */
  readonly size: number;
  readonly profile: ClientProfile;
  /** The client that answers: a connection, or without one, the request itself. No other one gets its questions. */
  readonly client: object;
  /** True while the client has the questions of its server, which asks nothing anew for this request meanwhile. */
  readonly isWaiting: boolean;
  /** Puts a question of a server into the answer. */
  ask(connection: Connection, question: Question): void;
  /** The answer to a question, when the client has given it before. */
  known(method: string, id: RawId): OutgoingLine | undefined;
  /** A server asked for what the client has not declared. */
  missingCapability(line: Buffer, request: ServerRequest): void;
}
