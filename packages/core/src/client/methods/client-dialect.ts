import type { Era } from '../../server/dialect/era.js';
import type { ServerRequests } from '../asks/server-requests.js';
import type { OwnAnswer } from '../asks/server-requests.js';
import type { SubjectKind } from '../request/request-subject.js';
import type { Handler } from './handler.js';

/** The requests from clients in one era of the protocol. Has no state. */
export interface RequestDialect {
  readonly era: Era;
  /** The handlers of requests, by method, including the handlers that all eras share. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Methods among {@link handlers} that are answered at once and do not count as in flight. */
  readonly instant: ReadonlySet<string>;
  /** Methods that no guard checks, because a client must be able to connect and to see that mcpmux is alive. */
  readonly unguarded: readonly string[];
  /** The kind of the subject of a request in this era, by method. */
  readonly subjects: ReadonlyMap<string, SubjectKind>;
}

/** The messages from clients in an era with sessions. Has no state. */
export interface ClientDialect extends RequestDialect {
  /** The request that opens a session. */
  readonly openedBy: string;
  /** The revision whose clients may send batches. */
  readonly batchingRevision: string;
  /** Notifications from a client that concern mcpmux itself, by method. */
  readonly notifications: ReadonlyMap<string, 'opened' | 'roots-changed'>;
  /**
   * Notifications from a server that belong to particular clients, by method: to the owner of an elicitation or a task,
   * or to the clients that watch a task.
   */
  readonly owned: ReadonlyMap<string, 'elicitation' | 'task' | 'watched-task'>;
  /** The request by which a server asks for a client's roots. */
  readonly rootsRequest: string;
  /** True if a server's request is about a task that the client runs. */
  asksAboutTask(method: string): boolean;
  /** Shows a form from mcpmux itself to the client's user. Withdraws the form when `signal` is aborted. */
  elicit(asked: ServerRequests, form: unknown, signal: AbortSignal): Promise<OwnAnswer>;
  /** Returns the notification that the user has finished at the URL of an elicitation. */
  urlVisited(elicitationId: string): Buffer;
}
