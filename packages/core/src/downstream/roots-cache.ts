import type { Connection } from '../upstream/connection.js';
import { isRecord } from '../wire/is-record.js';
import { resultBytesLine } from '../wire/json-rpc.js';
import type { IdText } from '../wire/request-id.js';
import type { Span } from '../wire/span.js';
import { splice } from '../wire/splice.js';
import type { Session } from './session.js';

/**
 * The roots of each client. Every server asks for them, mostly at its start: the client is asked once, and again after
 * it has said that they changed.
 */
export class RootsCache {
  private readonly results = new WeakMap<Session, Buffer>();
  /** Whoever was told roots of a client, and has to be told that they changed. */
  private readonly asking = new Map<Session, Set<Connection>>();

  /** The answer to a server's `roots/list`, when it is known. */
  answer(session: Session, id: IdText, connection: Connection): Buffer | undefined {
    const asking = this.asking.get(session) ?? new Set();
    this.asking.set(session, asking.add(connection));
    const result = this.results.get(session);
    return result && resultBytesLine(id, result);
  }

  /** Remembers a client's answer, if the client would say that it has become another one. */
  keep(session: Session, line: Buffer, { start, end }: Span): void {
    const roots = session.profile?.capabilities['roots'];
    if (isRecord(roots) && roots['listChanged'] === true)
      this.results.set(session, Buffer.from(line.subarray(start, end)));
  }

  /** The client said that its roots have changed. */
  changed(session: Session, notification: Buffer): void {
    this.results.delete(session);
    for (const connection of this.asking.get(session) ?? []) connection.send(splice(notification, []));
  }

  forget(session: Session): void {
    this.results.delete(session);
    this.asking.delete(session);
  }

  /** A server's run is over. */
  forgetConnection(connection: Connection): void {
    for (const connections of this.asking.values()) connections.delete(connection);
  }
}
