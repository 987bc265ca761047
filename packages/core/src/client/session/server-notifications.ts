import { type Edit, splice, paramText } from '@mcpmux/wire';
import type { Catalogs } from '../../catalog/catalogs.js';
import { WATCH_TASK_TIMEOUT_MS } from '../../server/dialect/server-dialect.js';
import { ownerOfRequest } from '../../catalog/routing/owner-of-request.js';
import type { CallOrigin, ServerNotification } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import { insertion } from '../asks/server-request-edits.js';
import type { Affinity, Owner } from '../caller/affinity.js';
import { passesThreshold } from '../caller/log-level.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import type { Listeners } from '../methods/listeners.js';
import type { Subscriptions } from '../methods/subscriptions.js';
import { Exchange } from '../request/exchange.js';
import type { Audience } from './audience.js';
import type { Session } from './session.js';
import type { ModernRequests } from '../modern/modern-requests.js';
import { legacyTaskNotification } from '../modern/task-shapes.js';
import { clientTaskId } from '../../server/client-task-id.js';

type Notification = ServerEvent<Upstream, ServerNotification>;

/** The dependencies of {@link ServerNotifications}. */
export interface ServerNotificationParts {
  readonly audience: Audience;
  readonly subscriptions: Subscriptions;
  readonly listeners: Listeners;
  readonly modern: Pick<ModernRequests, 'endElicitation'>;
  readonly catalogs: Catalogs;
  readonly owners: Affinity<Session>;
  readonly dialect: Pick<ClientDialect, 'era' | 'ownedNotifications'>;
}

/** Forwards servers' notifications to sessions. */
export class ServerNotifications {
  constructor(private readonly parts: ServerNotificationParts) {}

  handleNotification(received: Notification): void {
    const { line, upstream, message } = received;
    switch (message.method) {
      case 'notifications/message':
        return this.forwardLogMessage(received);
      case 'notifications/resources/updated':
        return this.forwardResourceUpdate(received);
      default:
        break;
    }
    switch (this.parts.dialect.ownedNotifications.get(message.method)) {
      case 'elicitation':
        return this.forwardElicitationEnd(received);
      case 'task':
        this.notifyWatchers(received);
        return this.forwardTaskStatus(received);
      case 'watched-task':
        this.notifyWatchers(received);
        return this.notifyOwner(received);
      case undefined:
        return this.send(this.parts.audience.listeningSessions(upstream), splice(line, []), received);
    }
  }

  private forwardElicitationEnd(received: Notification): void {
    const { upstream, line, message } = received;
    const id = paramText(line, message, 'elicitationId');
    if (id !== undefined) this.parts.modern.endElicitation(received.connection, id);
    const owner = id === undefined ? 'unknown' : this.parts.owners.ownerOfElicitation(upstream, id);
    this.send(this.liveSessionsOf(owner, upstream), splice(line, []), received);
  }

  private forwardLogMessage(received: Notification): void {
    const level = paramText(received.line, received.message, 'level');
    const listeningSessions = this.parts.audience.listeningSessions(received.upstream);
    const sessions = listeningSessions.filter(({ logLevel }) => passesThreshold(level, logLevel));
    const line = splice(received.line, loggerLabelEdits(received));
    this.send(sessions, line, received);
    const exchange = this.loggingExchange(received, level);
    // Each client receives the message only once.
    const isDelivered = exchange !== undefined && sessions.some((session) => session === exchange.client);
    if (!isDelivered) exchange?.caller.send(line, received.connection);
  }

  /**
   * Returns the exchange whose client receives a log message: the oldest on this connection with a log level that
   * includes the message.
   */
  private loggingExchange({ connection }: Notification, level: string | undefined): Exchange | undefined {
    const { era } = this.parts.dialect;
    for (const origin of connection.calls.callOrigins()) {
      if (!(origin instanceof Exchange) || origin.caller.era === era) continue;
      const { logLevel } = origin.caller;
      if (logLevel !== undefined && passesThreshold(level, logLevel)) return origin;
    }
    return undefined;
  }

  private forwardResourceUpdate(received: Notification): void {
    const { upstream, line, message } = received;
    const span = message.params.get('uri');
    const uri = paramText(received.line, received.message, 'uri');
    if (span === undefined || uri === undefined) return;
    const catalog = this.parts.catalogs.catalogFor(upstream.layer);
    const hasAlias = catalog.snapshot().resources.aliasesOf(upstream).has(uri);
    if (!hasAlias) catalog.knownUris.learnOwner(uri, upstream);
    const subscribers = this.parts.subscriptions.subscribersToNotify(upstream, uri);
    const liveSessions = this.parts.audience.liveSessions(upstream);
    const connectedSubscribers = liveSessions.filter((session) => subscribers.has(session));
    // A server's only client is notified even without a subscription, as it would be without mcpmux.
    const isUnsubscribed = subscribers.size === 0 && !this.parts.subscriptions.wasSubscribed(upstream, uri);
    const recipients = isUnsubscribed && liveSessions.length === 1 ? liveSessions : connectedSubscribers;
    for (const session of recipients) {
      const alias = session.view.aliasOf(upstream, uri);
      const edits = alias === undefined ? [] : [{ span, bytes: JSON.stringify(alias) }];
      this.send([session], splice(line, edits), received);
    }
    for (const listener of this.parts.listeners.values()) {
      if (!subscribers.has(listener)) continue;
      const alias = listener.caller.view.aliasOf(upstream, uri);
      const edits = alias === undefined ? [] : [{ span, bytes: JSON.stringify(alias) }];
      listener.handleResourceUpdate(splice(line, edits), received.connection, true);
    }
  }

  private notifyWatchers(received: Notification): void {
    const localId = paramText(received.line, received.message, 'taskId');
    if (localId === undefined) return;
    for (const listener of this.parts.listeners.watchersOf(received.upstream, localId))
      listener.handleTaskChange(received, true);
  }

  /** Notifies the session that created a task on a modern server, in the format of the session's own era. */
  private notifyOwner(received: Notification): void {
    const { owners } = this.parts;
    const { upstream, connection, line, message } = received;
    const localId = paramText(line, message, 'taskId');
    if (localId === undefined) return;
    const id = clientTaskId(upstream, localId);
    const owner = owners.ownerOfTask(upstream, id);
    if (typeof owner !== 'object') return;
    // A task that its client has cancelled stays cancelled, whatever the server reports later.
    if (owners.ledger.get(upstream, id)?.report['status'] === 'cancelled') return;
    const status = legacyTaskNotification(line, id);
    if (status === undefined) return;
    this.send(this.liveSessionsOf(owner, upstream), status.line, received);
    if (status.isLast)
      void connection.dialect.watchTask?.(localId, false, WATCH_TASK_TIMEOUT_MS).catch(() => undefined);
  }

  private forwardTaskStatus(received: Notification): void {
    const { upstream, line, message } = received;
    const span = message.params.get('taskId');
    const localId = paramText(received.line, received.message, 'taskId');
    if (span === undefined || localId === undefined) return;
    const id = clientTaskId(upstream, localId);
    const clientLine = splice(line, [{ span, bytes: JSON.stringify(id) }]);
    // SDK servers report a task before they respond to the call that creates it, so a task without a known owner
    // belongs to the client with a call in flight.
    const knownOwner = this.parts.owners.ownerOfTask(upstream, id);
    const caller = knownOwner === 'unknown' ? this.pendingCaller(received) : undefined;
    const owner = caller === undefined ? knownOwner : { client: caller };
    this.send(this.liveSessionsOf(owner, upstream), clientLine, received);
  }

  /** Returns the only client with calls in flight on the connection; undefined if there are several or none. */
  private pendingCaller({ connection }: Notification): object | undefined {
    const owner = ownerOfRequest<object, CallOrigin>(
      connection.calls.callOrigins(),
      this.parts.audience,
      () => [],
    );
    return 'client' in owner ? owner.client : undefined;
  }

  /** Sends a line to sessions. A client that does not read must not block a server that has other clients. */
  private send(sessions: readonly Session[], line: Buffer, { upstream, connection }: Notification): void {
    const isShared = this.parts.audience.liveSessions(upstream).length > 1;
    for (const session of sessions) session.send(line, connection, isShared);
  }

  /** Returns the owner's live session. For an unknown owner, returns the only live session, if any. */
  private liveSessionsOf(owner: Owner<object>, upstream: Upstream): readonly Session[] {
    const liveSessions = this.parts.audience.liveSessions(upstream);
    if (owner === 'gone') return [];
    if (owner !== 'unknown') return liveSessions.filter((session) => session === owner.client);
    return liveSessions.length === 1 ? liveSessions : [];
  }
}

/**
 * Returns the edit that prefixes `logger` with the server's name, or adds the name, so that clients know the source.
 */
function loggerLabelEdits(received: Notification): readonly Edit[] {
  const { params } = received.message;
  const serverNameJson = JSON.stringify(received.upstream.name);
  const logger = params.get('logger');
  if (logger !== undefined) {
    const isString = paramText(received.line, received.message, 'logger') !== undefined;
    return isString ? [insertion(logger.start + 1, `${serverNameJson.slice(1, -1)}/`)] : [];
  }
  const level = params.get('level');
  return level === undefined ? [] : [insertion(level.end, `,"logger":${serverNameJson}`)];
}
