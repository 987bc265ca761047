import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { ServerRequest } from '../../upstream/link/pending-call.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { ClientProfile } from '../../dialect/client-profile.js';
import type { Question } from './server-requests.js';

/** Takes what servers ask during one request of a client that cannot be sent requests: it is asked in the answer. */
export interface RequestAsks {
  /** Questions without an answer. */
  readonly size: number;
  readonly profile: ClientProfile;
  /** The group of callers of the request. No other group gets its questions. */
  readonly group: unknown;
  /** Puts a question of a server into the answer. */
  ask(connection: Connection, question: Question): void;
  /** The answer to a question, when the client has given it before. */
  known(method: string, id: RawId): OutgoingLine | undefined;
  /** A server asked for what the client has not declared. */
  lacked(line: Buffer, request: ServerRequest): void;
}
