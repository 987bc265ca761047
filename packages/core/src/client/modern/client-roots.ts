import { BoundedMap, type Clock, isRecord, type Timer } from '@mcpmux/kit';
import { notificationLine, type OutgoingLine, type RawId, resultBytesLine, resultLine } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/** The time that a server waits for roots that it requests outside of any client request, in milliseconds. */
export const ROOTS_WAIT_MS = 10_000;

const NO_ROOTS = '{"roots":[]}';
/** The maximum number of principals with cached roots. */
const MAX_PRINCIPALS = 1000;

interface QueuedRequest {
  readonly id: RawId;
  readonly timer: Timer;
}

/**
 * The roots of clients that can be asked only in the answer to a request. A legacy server requests roots when it
 * starts. Its request waits until a client calls the server; that call is first answered with a question for the
 * client's roots.
 */
export class ClientRoots {
  private readonly byConnection = new WeakMap<object, Buffer>();
  private readonly byPrincipal = new BoundedMap<unknown, Buffer>(MAX_PRINCIPALS);
  private readonly queued = new Map<Connection, Map<RawId, QueuedRequest>>();
  /** The servers that got an empty list of roots, because no client could be asked in time. */
  private readonly uninformed = new WeakSet<Connection>();
  /** The last roots that were sent on each connection, and their client. */
  private readonly lastSent = new WeakMap<Connection, { readonly group: unknown; readonly roots: Buffer }>();

  constructor(private readonly clock: Clock) {}

  /** Returns a client's roots as the JSON of a `roots/list` result, or undefined if they are unknown. */
  get(group: unknown): Buffer | undefined {
    return isRecord(group) ? this.byConnection.get(group) : this.byPrincipal.get(group);
  }

  /**
   * Like {@link get}, but only for a client with a connection. A principal may have several clients, each with its own
   * roots.
   */
  getForClient(group: unknown): Buffer | undefined {
    return isRecord(group) ? this.get(group) : undefined;
  }

  store(group: unknown, result: Buffer): void {
    if (isRecord(group)) this.byConnection.set(group, result);
    else this.byPrincipal.set(group, result);
  }

  /** Forgets a client's roots after a change, so that the client is asked again. */
  forget(group: unknown): void {
    if (isRecord(group)) this.byConnection.delete(group);
    else this.byPrincipal.deleteWhere((one) => one === group);
  }

  /** True if the server on this connection waits for roots, or has no roots or outdated ones. */
  isWaiting(connection: Connection): boolean {
    return this.queued.has(connection) || this.uninformed.has(connection) || this.isOutdated(connection);
  }

  /**
   * Answers a server's request for roots outside of any client request, or queues it if the roots are unknown or
   * outdated. A queued request is answered when a client that calls the server is known, or after a time limit.
   */
  queue(connection: Connection, id: RawId): void {
    const sent = this.isOutdated(connection) ? undefined : this.lastSent.get(connection);
    if (sent !== undefined) return connection.send(resultBytesLine(id, sent.roots));
    const timer = this.clock.schedule(() => {
      this.uninformed.add(connection);
      this.answer(connection, id, resultLine(id, NO_ROOTS));
    }, ROOTS_WAIT_MS);
    const queued = this.queued.get(connection) ?? new Map<RawId, QueuedRequest>();
    this.queued.set(connection, queued.set(id, { id, timer }));
    const forget = (): void => this.drop(connection, id);
    connection.requests.expectAnswer(id, { cancelled: forget, abandoned: forget });
  }

  /** Sends a server the roots of the client that is calling it. */
  report(connection: Connection, group: unknown, roots: Buffer): void {
    const hasChanged = this.isOutdated(connection);
    this.lastSent.set(connection, { group, roots });
    for (const id of this.queued.get(connection)?.keys() ?? [])
      this.answer(connection, id, resultBytesLine(id, roots));
    if (!this.uninformed.delete(connection) && !hasChanged) return;
    connection.send(notificationLine('notifications/roots/list_changed'));
  }

  close(): void {
    for (const [connection, queued] of this.queued) for (const id of queued.keys()) this.drop(connection, id);
  }

  /** True if the roots that a server got have changed since. */
  private isOutdated(connection: Connection): boolean {
    const sent = this.lastSent.get(connection);
    return sent !== undefined && this.get(sent.group) !== sent.roots;
  }

  private answer(connection: Connection, id: RawId, line: OutgoingLine): void {
    this.drop(connection, id);
    connection.requests.respond(id, () => line);
  }

  private drop(connection: Connection, id: RawId): void {
    const queued = this.queued.get(connection);
    queued?.get(id)?.timer.cancel();
    queued?.delete(id);
    if (queued?.size === 0) this.queued.delete(connection);
  }
}
