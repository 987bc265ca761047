import { BoundedMap, type Clock, isRecord, type Timer } from '@mcpmux/kit';
import { notificationLine, type OutgoingLine, type RawId, resultBytesLine, resultLine } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/** The time that a server waits for roots that it requests outside of any client request, in milliseconds. */
export const ROOTS_HOLD_MS = 10_000;

const NO_ROOTS = '{"roots":[]}';
/** The maximum number of principals with cached roots. */
const MAX_PRINCIPALS = 1000;

interface Held {
  readonly id: RawId;
  readonly timer: Timer;
}

/**
 * The roots of clients that can be asked only in the answer to a request. Legacy servers request roots when they start.
 * They wait until the next request to them, which is first answered with a question for the client's roots.
 */
export class ClientRoots {
  private readonly ofConnections = new WeakMap<object, Buffer>();
  private readonly ofPrincipals = new BoundedMap<unknown, Buffer>(MAX_PRINCIPALS);
  private readonly held = new Map<Connection, Map<RawId, Held>>();
  /** The servers that got an empty list of roots, because no client could be asked in time. */
  private readonly uninformed = new WeakSet<Connection>();
  /** The last roots that were sent on each connection, and their client. */
  private readonly sent = new WeakMap<Connection, { readonly group: unknown; readonly roots: Buffer }>();

  constructor(private readonly clock: Clock) {}

  /** Returns a client's roots as the JSON of a `roots/list` result, or undefined if they are unknown. */
  known(group: unknown): Buffer | undefined {
    return isRecord(group) ? this.ofConnections.get(group) : this.ofPrincipals.get(group);
  }

  /**
   * Like {@link known}, but only for a client with a connection. A principal has several clients, each with its own
   * roots.
   */
  knownOfClient(group: unknown): Buffer | undefined {
    return isRecord(group) ? this.known(group) : undefined;
  }

  learn(group: unknown, result: Buffer): void {
    if (isRecord(group)) this.ofConnections.set(group, result);
    else this.ofPrincipals.set(group, result);
  }

  /** Forgets a client's roots after a change, so that the client is asked again. */
  forget(group: unknown): void {
    if (isRecord(group)) this.ofConnections.delete(group);
    else this.ofPrincipals.deleteWhere((one) => one === group);
  }

  /** True if the server on this connection waits for roots, or has no roots or outdated ones. */
  isWaiting(connection: Connection): boolean {
    return this.held.has(connection) || this.uninformed.has(connection) || this.isOutdated(connection);
  }

  /**
   * Holds a server's request for roots outside of any client request. The request is answered when a client that calls
   * the server is known, or after a time limit.
   */
  hold(connection: Connection, id: RawId): void {
    const sent = this.isOutdated(connection) ? undefined : this.sent.get(connection);
    if (sent !== undefined) return connection.send(resultBytesLine(id, sent.roots));
    const timer = this.clock.schedule(() => {
      this.uninformed.add(connection);
      this.answer(connection, id, resultLine(id, NO_ROOTS));
    }, ROOTS_HOLD_MS);
    const held = this.held.get(connection) ?? new Map<RawId, Held>();
    this.held.set(connection, held.set(id, { id, timer }));
    const forget = (): void => this.drop(connection, id);
    connection.requests.expectAnswer(id, { cancelled: forget, abandoned: forget });
  }

  /** Sends a server the roots of the client that is calling it. */
  report(connection: Connection, group: unknown, roots: Buffer): void {
    const isNews = this.isOutdated(connection);
    this.sent.set(connection, { group, roots });
    for (const id of this.held.get(connection)?.keys() ?? [])
      this.answer(connection, id, resultBytesLine(id, roots));
    if (!this.uninformed.delete(connection) && !isNews) return;
    connection.send(notificationLine('notifications/roots/list_changed'));
  }

  close(): void {
    for (const [connection, held] of this.held) for (const id of held.keys()) this.drop(connection, id);
  }

  /** True if the roots that a server got have changed since. */
  private isOutdated(connection: Connection): boolean {
    const sent = this.sent.get(connection);
    return sent !== undefined && this.known(sent.group) !== sent.roots;
  }

  private answer(connection: Connection, id: RawId, line: OutgoingLine): void {
    this.drop(connection, id);
    connection.requests.respond(id, () => line);
  }

  private drop(connection: Connection, id: RawId): void {
    const held = this.held.get(connection);
    held?.get(id)?.timer.cancel();
    held?.delete(id);
    if (held?.size === 0) this.held.delete(connection);
  }
}
