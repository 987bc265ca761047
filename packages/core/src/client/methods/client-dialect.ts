import type { Era } from '../../server/dialect/era.js';
import type { ServerRequests } from '../asks/server-requests.js';
import type { OwnAnswer } from '../caller/mux-request.js';
import type { SubjectKind } from '../request/request-subject.js';
import type { Handler } from './handler.js';

/** The requests of clients that one era of the protocol has. Without state. */
export interface RequestDialect {
  readonly era: Era;
  /** The handlers of requests, by method; those that all eras share are among them. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Methods among {@link handlers} that are answered at once: they do not count as in flight. */
  readonly instant: ReadonlySet<string>;
  /** Methods that no guard sees: a client must get in, and learn that mcpmux is there. */
  readonly unguarded: readonly string[];
  /** The kind of the subject of a request of this era, by method. */
  readonly subjects: ReadonlyMap<string, SubjectKind>;
}

/** The messages of clients of an era with sessions. Without state. */
export interface ClientDialect extends RequestDialect {
  /** The request that opens a session. */
  readonly openedBy: string;
  /** The revision whose clients may send batches. */
  readonly batchingRevision: string;
  /** Notifications of a client that concern mcpmux itself, by method. */
  readonly notifications: ReadonlyMap<string, 'opened' | 'roots-changed'>;
  /**
   * Notifications of a server that belong to one client, by method: to the owner of an elicitation, or of a task, or to
   * whoever watches a task.
   */
  readonly owned: ReadonlyMap<string, 'elicitation' | 'task' | 'watched-task'>;
  /** The request by which a server asks for a client's roots. */
  readonly rootsRequest: string;
  /** True if a request of a server is about a task that the client runs. */
  asksAboutTask(method: string): boolean;
  /** Puts a form of mcpmux itself to the client's user. Withdraws it when `signal` is aborted. */
  elicit(asked: ServerRequests, form: unknown, signal: AbortSignal): Promise<OwnAnswer>;
}
