import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { ServerRequest } from '../../server/link/pending-call.js';
import type { Connection } from '../../server/link/connection.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Question } from './server-requests.js';

/**
 * Takes the questions that servers ask during one request from a client that takes no requests. The answer carries
 * them.
 */
export interface QuestionSink {
  /** The number of questions without an answer. */
  readonly size: number;
  readonly profile: ClientProfile;
  /**
   * The client that answers: a connection, or the request itself if it has none. No other client gets its questions.
   */
  readonly client: object;
  /**
   * True while the client has the questions from its server. The server asks no further question for this request
   * meanwhile.
   */
  readonly isWaiting: boolean;
  /** Adds a server's question to the answer. */
  ask(connection: Connection, question: Question): void;
  /** Returns the answer to a question if the client has given it before. */
  known(method: string, id: RawId): OutgoingLine | undefined;
  /** A server has asked for a capability that the client has not declared. */
  missingCapability(line: Buffer, request: ServerRequest): void;
}
