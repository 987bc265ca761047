import { BoundedMap, type Clock, waitAtMost } from '@mcpmux/kit';
import type { Connection } from '../../server/link/connection.js';

/** The time that a call waits for its user to complete a URL elicitation, in milliseconds. */
export const URL_WAIT_MS = 60_000;
/** The maximum number of ended elicitations to remember for later calls. */
const MAX_ENDED = 1000;

/** The elicitations of one connection. Servers choose the ids, and two servers may choose the same id. */
interface Elicitations {
  readonly waiters: Map<string, Set<() => void>>;
  readonly ended: BoundedMap<string, true>;
}

/** Waits until servers report that users have completed URL elicitations. */
export class UrlWaits {
  private readonly elicitations = new WeakMap<Connection, Elicitations>();

  constructor(private readonly clock: Clock) {}

  /** Handles a server's report that an elicitation has ended. */
  end(connection: Connection, id: string): void {
    const { waiters, ended } = this.elicitationsOf(connection);
    ended.set(id, true);
    for (const resolve of waiters.get(id) ?? []) resolve();
  }

  /** Resolves when all these elicitations have ended, or after the time limit. */
  async whenEnded(connection: Connection, ids: readonly string[]): Promise<void> {
    const { waiters, ended } = this.elicitationsOf(connection);
    const pending = ids.filter((id) => ended.get(id) === undefined);
    const removals: (() => void)[] = [];
    const waits = pending.map(
      (id) => new Promise<void>((resolve) => removals.push(listen(waiters, id, resolve))),
    );
    await waitAtMost(URL_WAIT_MS, Promise.all(waits), this.clock);
    for (const one of removals) one();
  }

  private elicitationsOf(connection: Connection): Elicitations {
    const known = this.elicitations.get(connection) ?? {
      waiters: new Map(),
      ended: new BoundedMap(MAX_ENDED),
    };
    this.elicitations.set(connection, known);
    return known;
  }
}

function listen(waiters: Elicitations['waiters'], id: string, resolve: () => void): () => void {
  const resolvers = waiters.get(id) ?? new Set();
  waiters.set(id, resolvers.add(resolve));
  return () => {
    resolvers.delete(resolve);
    if (resolvers.size === 0) waiters.delete(id);
  };
}
