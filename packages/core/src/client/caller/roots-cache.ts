import { isRecord } from '@mcpmux/kit';
import { type OutgoingLine, type RawId, resultBytesLine, type Span, splice } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from './caller.js';

/**
 * The roots of each client. Every server asks for them, mostly at its start: the client is asked once, and again after
 * it has said that they changed.
 */
export class RootsCache<Client extends Pick<Caller, 'profile'>> {
  private readonly results = new WeakMap<Client, Buffer>();
  /** Servers that have requested the roots of a client, with their current runs, which get each change. */
  private readonly asking = new Map<Client, Map<Upstream, Connection>>();

  /** The answer to the `roots/list` of this run of a server, when it is known. */
  answer(client: Client, id: RawId, upstream: Upstream, connection: Connection): OutgoingLine | undefined {
    const asking = this.asking.get(client) ?? new Map<Upstream, Connection>();
    this.asking.set(client, asking.set(upstream, connection));
    const result = this.results.get(client);
    return result && resultBytesLine(id, result);
  }

  /** Remembers a client's answer, if the client would say that it has become another one. */
  keep(client: Client, line: Buffer, { start, end }: Span): void {
    this.learn(client, line.subarray(start, end));
  }

  /** {@link keep} of a result that stands alone. */
  learn(client: Client, result: Uint8Array): void {
    const roots = client.profile?.capabilities['roots'];
    if (isRecord(roots) && roots['listChanged'] === true) this.results.set(client, Buffer.from(result));
  }

  /** The result of a client, JSON, when it is known. */
  known(client: Client): Buffer | undefined {
    return this.results.get(client);
  }

  /** The client said that its roots have changed. */
  changed(client: Client, notification: Buffer): void {
    this.results.delete(client);
    for (const connection of this.asking.get(client)?.values() ?? [])
      connection.send(splice(notification, []));
  }

  forget(client: Client): void {
    this.results.delete(client);
    this.asking.delete(client);
  }

  /** A server has been removed. */
  forgetServer(upstream: Upstream): void {
    for (const servers of this.asking.values()) servers.delete(upstream);
  }
}
