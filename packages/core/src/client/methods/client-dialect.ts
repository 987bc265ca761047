import type { Era } from '../../server/dialect/era.js';
import type { ServerRequests } from '../asks/server-requests.js';
import type { ElicitAnswer } from '../asks/server-requests.js';
import type { SubjectKind } from '../request/request-subject.js';
import type { Handler } from './handler.js';

/** The handling of client requests in one era of the protocol. Has no state. */
export interface RequestDialect {
  readonly era: Era;
  /** The handlers of requests by method, including the handlers that all eras share. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** The methods in {@link handlers} that need no server and are answered even at the limit of requests in flight. */
  readonly immediateMethods: ReadonlySet<string>;
  /** Methods that bypass the guards, because a client must be able to connect and to check that mcpmux is alive. */
  readonly unguardedMethods: readonly string[];
  /** The kinds of request subject, by method, for the methods that only this era has. */
  readonly subjectKinds: ReadonlyMap<string, SubjectKind>;
}

/** The handling of client messages in an era with sessions. Has no state. */
export interface ClientDialect extends RequestDialect {
  /** The request that opens a session. */
  readonly openingMethod: string;
  /** The revision whose clients may send batches. */
  readonly batchingRevision: string;
  /** Notifications from a client that concern mcpmux itself, by method. */
  readonly notifications: ReadonlyMap<string, 'opened' | 'roots-changed'>;
  /**
   * The server notifications for particular clients, by method: for the owner of an elicitation or a task, or for the
   * clients that watch a task.
   */
  readonly ownedNotifications: ReadonlyMap<string, 'elicitation' | 'task' | 'watched-task'>;
  /** The method of a server's request for a client's roots. */
  readonly rootsMethod: string;
  /** True if a server's request concerns a task that the client runs. */
  concernsTask(method: string): boolean;
  /** Shows a form from mcpmux itself to the client's user. Withdraws the form when `signal` is aborted. */
  elicit(serverRequests: ServerRequests, form: unknown, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Returns the notification that the user has completed the elicitation at a URL. */
  urlVisitedLine(elicitationId: string): Buffer;
}
