import { BoundedMap, type Clock, isRecord, type Timer } from '@mcpmux/kit';
import { notificationLine, type OutgoingLine, type RawId, resultBytesLine, resultLine } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/**
 * How long a server's request for roots may wait for a client's call, in milliseconds, before it gets an empty list.
 */
export const ROOTS_WAIT_MS = 10_000;

const NO_ROOTS_RESULT = '{"roots":[]}';
/** The maximum number of principals with cached roots. */
const MAX_PRINCIPALS = 1000;

interface QueuedRequest {
  readonly id: RawId;
  readonly timer: Timer;
}

/**
 * The roots of modern clients, which mcpmux can request only in the answer to a client's request. If a legacy server
 * requests roots at startup, its request waits until a client calls the server; the first answer to that call asks for
 * the roots.
 */
export class ClientRoots {
  private readonly rootsByConnection = new WeakMap<object, Buffer>();
  private readonly rootsByPrincipal = new BoundedMap<unknown, Buffer>(MAX_PRINCIPALS);
  private readonly queuedRequests = new Map<Connection, Map<RawId, QueuedRequest>>();
  /** The connections whose servers got an empty list of roots, because no client could be asked in time. */
  private readonly connectionsWithoutRoots = new WeakSet<Connection>();
  /** The roots last sent on each connection, and the client or principal that they belong to. */
  private readonly lastSentRoots = new WeakMap<
    Connection,
    { readonly group: unknown; readonly roots: Buffer }
  >();

  constructor(private readonly clock: Clock) {}

  /** Returns a client's roots as the JSON of a `roots/list` result, or undefined if they are unknown. */
  get(group: unknown): Buffer | undefined {
    return isRecord(group) ? this.rootsByConnection.get(group) : this.rootsByPrincipal.get(group);
  }

  /** Like {@link get}, but returns undefined for a principal, because its clients may have different roots. */
  getForClient(group: unknown): Buffer | undefined {
    return isRecord(group) ? this.get(group) : undefined;
  }

  store(group: unknown, result: Buffer): void {
    if (isRecord(group)) this.rootsByConnection.set(group, result);
    else this.rootsByPrincipal.set(group, result);
  }

  /** Forgets a client's roots after a change, so that the client is asked again. */
  forget(group: unknown): void {
    if (isRecord(group)) this.rootsByConnection.delete(group);
    else this.rootsByPrincipal.deleteWhere((one) => one === group);
  }

  /** True if the server on this connection awaits roots, got an empty list after a timeout, or has outdated roots. */
  needsRoots(connection: Connection): boolean {
    return (
      this.queuedRequests.has(connection) ||
      this.connectionsWithoutRoots.has(connection) ||
      this.isOutdated(connection)
    );
  }

  /**
   * Answers a server's request for roots outside of any client request, or queues it if the roots are unknown or
   * outdated. A queued request is answered when a client calls the server, or with an empty list after a time limit.
   */
  answerOrQueue(connection: Connection, id: RawId): void {
    const sentEntry = this.isOutdated(connection) ? undefined : this.lastSentRoots.get(connection);
    if (sentEntry !== undefined) return connection.send(resultBytesLine(id, sentEntry.roots));
    const timer = this.clock.schedule(() => {
      this.connectionsWithoutRoots.add(connection);
      this.answerRequest(connection, id, resultLine(id, NO_ROOTS_RESULT));
    }, ROOTS_WAIT_MS);
    const connectionRequests = this.queuedRequests.get(connection) ?? new Map<RawId, QueuedRequest>();
    this.queuedRequests.set(connection, connectionRequests.set(id, { id, timer }));
    const dropRequest = (): void => this.removeRequest(connection, id);
    connection.requests.expectAnswer(id, { onCancelled: dropRequest, onRunEnd: dropRequest });
  }

  /** Answers queued requests with the caller's roots. Notifies a server that got an empty list or outdated roots. */
  sendRoots(connection: Connection, group: unknown, roots: Buffer): void {
    const hasChanged = this.isOutdated(connection);
    this.lastSentRoots.set(connection, { group, roots });
    for (const id of this.queuedRequests.get(connection)?.keys() ?? [])
      this.answerRequest(connection, id, resultBytesLine(id, roots));
    if (!this.connectionsWithoutRoots.delete(connection) && !hasChanged) return;
    connection.send(notificationLine('notifications/roots/list_changed'));
  }

  close(): void {
    for (const [connection, queued] of this.queuedRequests)
      for (const id of queued.keys()) this.removeRequest(connection, id);
  }

  /** True if the roots have changed since they were last sent to the server. */
  private isOutdated(connection: Connection): boolean {
    const sentEntry = this.lastSentRoots.get(connection);
    return sentEntry !== undefined && this.get(sentEntry.group) !== sentEntry.roots;
  }

  private answerRequest(connection: Connection, id: RawId, line: OutgoingLine): void {
    this.removeRequest(connection, id);
    connection.requests.respond(id, () => line);
  }

  private removeRequest(connection: Connection, id: RawId): void {
    const connectionRequests = this.queuedRequests.get(connection);
    connectionRequests?.get(id)?.timer.cancel();
    connectionRequests?.delete(id);
    if (connectionRequests?.size === 0) this.queuedRequests.delete(connection);
  }
}
