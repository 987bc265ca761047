import type { Era } from '../../server/dialect/era.js';
import type { ServerRequests } from '../asks/server-requests.js';
import type { ElicitAnswer } from '../asks/server-requests.js';
import type { SubjectKind } from '../request/request-subject.js';
import type { Handler } from './handler.js';

/** How mcpmux processes client requests in one era. Stateless. */
export interface RequestDialect {
  readonly era: Era;
  /** The handlers of requests by method, including the handlers that all eras share. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** The methods in {@link handlers} that need no server and are answered even when too many requests are in flight. */
  readonly immediateMethods: ReadonlySet<string>;
  /** Methods that bypass the guards, because every client must be able to connect and to check that mcpmux is alive. */
  readonly unguardedMethods: readonly string[];
  /** The kind of subject, such as a task, that requests of each method refer to. Contains only methods of this era. */
  readonly subjectKinds: ReadonlyMap<string, SubjectKind>;
}

/** How mcpmux processes client messages in an era with sessions. Stateless. */
export interface ClientDialect extends RequestDialect {
  /** The method of the request that opens a session. */
  readonly openingMethod: string;
  /** The only revision in which clients may send batches. */
  readonly batchingRevision: string;
  /** The client notifications that mcpmux processes itself, by method. */
  readonly notifications: ReadonlyMap<string, 'opened' | 'roots-changed'>;
  /**
   * The server notifications that only certain clients get, by method: the owner of an elicitation or a task, or the
   * clients that watch a task.
   */
  readonly ownedNotifications: ReadonlyMap<string, 'elicitation' | 'task' | 'watched-task'>;
  /** The method with which a server requests a client's roots. */
  readonly rootsMethod: string;
  /** True if a server's request with this method concerns a task that the client runs. */
  concernsTask(method: string): boolean;
  /** Shows a form from mcpmux itself to the client's user. Withdraws the form when `signal` is aborted. */
  elicit(serverRequests: ServerRequests, form: unknown, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Returns the notification that the user has completed the URL elicitation. */
  urlVisitedLine(elicitationId: string): Buffer;
}
