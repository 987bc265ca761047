import { BoundedMap, type Clock, type Timer } from '@mcpmux/kit';
import { notificationLine, type OutgoingLine, type RawId, resultBytesLine, resultLine } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';

/** How long a server waits for roots that it asked for outside of any request, in milliseconds. */
export const ROOTS_HOLD_MS = 10_000;

const NO_ROOTS = '{"roots":[]}';
/** Principals whose roots are remembered. */
const MAX_PRINCIPALS = 1000;

interface SentRoots {
  readonly group: unknown;
  readonly roots: Buffer;
}

interface Held {
  readonly id: RawId;
  readonly timer: Timer;
}

/**
 * The roots of clients that can be asked for them only in the answer of a request. Legacy servers ask at their start:
 * they wait, and the next request that goes to one of them is answered with the question first.
 */
export class ClientRoots {
  private readonly ofConnections = new WeakMap<object, Buffer>();
  private readonly ofPrincipals = new BoundedMap<unknown, Buffer>(MAX_PRINCIPALS);
  private readonly held = new Map<Connection, Map<RawId, Held>>();
  /** Servers that were told of no roots, because nobody could be asked in time. */
  private readonly uninformed = new WeakSet<Connection>();
  /** The last roots that each run of a server got, and their client. */
  private readonly sent = new WeakMap<Connection, SentRoots>();

  constructor(private readonly clock: Clock) {}

  /** The roots of a client, a `roots/list` result as JSON, once it was asked. */
  known(group: unknown): Buffer | undefined {
    return isObject(group) ? this.ofConnections.get(group) : this.ofPrincipals.get(group);
  }

  /** The same for a client with a connection. A principal has several clients, and each of them roots of its own. */
  knownOfClient(group: unknown): Buffer | undefined {
    return isObject(group) ? this.known(group) : undefined;
  }

  learn(group: unknown, result: Buffer): void {
    if (isObject(group)) this.ofConnections.set(group, result);
    else this.ofPrincipals.set(group, result);
  }

  /** A client has other roots now: it is asked again. */
  forget(group: unknown): void {
    if (isObject(group)) this.ofConnections.delete(group);
    else this.ofPrincipals.deleteWhere((one) => one === group);
  }

  /** True if a run of a server has requested roots and did not get them. */
  isWaiting(connection: Connection): boolean {
    return this.held.has(connection) || this.uninformed.has(connection) || this.isOutdated(connection);
  }

  /** A server asks outside of any request. It is answered when a client that calls it is known, or after a while. */
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

  /** A run of a server learns the roots of the client that calls it. */
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

  /** True if the client whose roots a server got has other roots now. */
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

function isObject(group: unknown): group is object {
  return typeof group === 'object' && group !== null;
}
