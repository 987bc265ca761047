import { BoundedMap, type Clock, waitAtMost } from '@mcpmux/kit';
import type { Connection } from '../../server/link/connection.js';

/** The maximum time that a call waits for its user to complete a URL elicitation, in milliseconds. */
export const URL_WAIT_MS = 60_000;
/** The maximum number of ended elicitations to remember per connection, for calls that start waiting later. */
const MAX_ENDED_ELICITATIONS = 1000;

/** The elicitations of one connection. Servers choose the ids, so an id is unique only within its connection. */
interface Elicitations {
  readonly waiters: Map<string, Set<() => void>>;
  readonly endedIds: BoundedMap<string, true>;
}

/** Waits until servers report that users have completed URL elicitations. */
export class UrlWaits {
  private readonly elicitations = new WeakMap<Connection, Elicitations>();

  constructor(private readonly clock: Clock) {}

  /** Resolves the waits for an elicitation that its server has reported as ended, and remembers it for later calls. */
  endElicitation(connection: Connection, id: string): void {
    const { waiters, endedIds } = this.elicitationsOf(connection);
    endedIds.set(id, true);
    for (const resolve of waiters.get(id) ?? []) resolve();
  }

  /** Resolves when all these elicitations have ended, or after `URL_WAIT_MS`. */
  async whenEnded(connection: Connection, ids: readonly string[]): Promise<void> {
    const { waiters, endedIds } = this.elicitationsOf(connection);
    const pendingIds = ids.filter((id) => endedIds.get(id) === undefined);
    const removals: (() => void)[] = [];
    const waits = pendingIds.map(
      (id) => new Promise<void>((resolve) => removals.push(addWaiter(waiters, id, resolve))),
    );
    await waitAtMost(URL_WAIT_MS, Promise.all(waits), this.clock);
    for (const removeWaiter of removals) removeWaiter();
  }

  private elicitationsOf(connection: Connection): Elicitations {
    const connectionElicitations = this.elicitations.get(connection) ?? {
      waiters: new Map(),
      endedIds: new BoundedMap(MAX_ENDED_ELICITATIONS),
    };
    this.elicitations.set(connection, connectionElicitations);
    return connectionElicitations;
  }
}

function addWaiter(waiters: Elicitations['waiters'], id: string, resolve: () => void): () => void {
  const resolvers = waiters.get(id) ?? new Set();
  waiters.set(id, resolvers.add(resolve));
  return () => {
    resolvers.delete(resolve);
    if (resolvers.size === 0) waiters.delete(id);
  };
}
