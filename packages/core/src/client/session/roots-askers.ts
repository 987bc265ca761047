import { isSessionInstance } from '../../server/config/isolation.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';

/** Finds servers of the host that request the roots of one client although they serve several clients. */
export class RootsAskers {
  private readonly known = new WeakSet<Connection>();

  /** @param found called once for each connection, with the server, when it has no request in flight */
  constructor(private readonly found: (upstream: Upstream) => void) {}

  asked(upstream: Upstream, connection: Connection): void {
    if (upstream.addedBy !== undefined || isSessionInstance(upstream) || this.known.has(connection)) return;
    this.known.add(connection);
    void connection.calls.whenIdle().then(() => this.found(upstream));
  }
}
