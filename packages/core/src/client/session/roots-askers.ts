import { isSessionInstance } from '../../server/config/isolation.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';

/** Finds servers of the host that ask for the roots of one client, and yet serve several clients. */
export class RootsAskers {
  private readonly known = new WeakSet<Connection>();

  /** @param found called once for each run, with the server, when no request is in flight at it */
  constructor(private readonly found: (upstream: Upstream) => void) {}

  asked(upstream: Upstream, connection: Connection): void {
    if (upstream.addedBy !== undefined || isSessionInstance(upstream) || this.known.has(connection)) return;
    this.known.add(connection);
    void connection.calls.whenIdle().then(() => this.found(upstream));
  }
}
