import { isRecord } from '@mcpmux/kit';
import { type OutgoingLine, type RawId, resultBytesLine, type Span, splice } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from './caller.js';

/** The roots of each client, cached because servers usually request them when they start. */
export class RootsCache<Client extends Pick<Caller, 'profile'>> {
  private readonly results = new WeakMap<Client, Buffer>();
  /** The servers to notify of changes, because they have requested a client's roots, with their current connections. */
  private readonly requesters = new Map<Client, Map<Upstream, Connection>>();

  /** Returns the cached response to a server's `roots/list`, if any. Also subscribes the connection to changes. */
  cachedAnswer(
    client: Client,
    id: RawId,
    upstream: Upstream,
    connection: Connection,
  ): OutgoingLine | undefined {
    const connections = this.requesters.get(client) ?? new Map<Upstream, Connection>();
    this.requesters.set(client, connections.set(upstream, connection));
    const result = this.results.get(client);
    return result && resultBytesLine(id, result);
  }

  /** Caches a client's answer if the client has declared that it reports changes. */
  storeResult(client: Client, line: Buffer, { start, end }: Span): void {
    this.storeJson(client, line.subarray(start, end));
  }

  /** Like {@link storeResult}, but for a result that is not part of a line. */
  storeJson(client: Client, result: Uint8Array): void {
    const roots = client.profile?.capabilities['roots'];
    if (isRecord(roots) && roots['listChanged'] === true) this.results.set(client, Buffer.from(result));
  }

  get(client: Client): Buffer | undefined {
    return this.results.get(client);
  }

  /** Drops a client's cached roots, and forwards its change notification to the servers that have requested them. */
  handleChange(client: Client, notification: Buffer): void {
    this.results.delete(client);
    for (const connection of this.requesters.get(client)?.values() ?? [])
      connection.send(splice(notification, []));
  }

  forgetClient(client: Client): void {
    this.results.delete(client);
    this.requesters.delete(client);
  }

  forgetServer(upstream: Upstream): void {
    for (const servers of this.requesters.values()) servers.delete(upstream);
  }
}
