import { BoundedMap, type Clock, waitAtMost } from '@mcpmux/kit';
import type { Connection } from '../../server/link/connection.js';

/** The time that a call waits for its user to complete a URL elicitation, in milliseconds. */
export const URL_WAIT_MS = 60_000;
/** The maximum number of ended elicitations to remember for later calls. */
const MAX_ENDED = 1000;

/** The elicitations of one connection. Servers choose the ids, and two servers may choose the same id. */
interface Elicitations {
  readonly waiting: Map<string, Set<() => void>>;
  readonly ended: BoundedMap<string, true>;
}

/** Waits until servers report that users have completed URL elicitations. */
export class UrlWaits {
  private readonly elicitations = new WeakMap<Connection, Elicitations>();

  constructor(private readonly clock: Clock) {}

  /** Handles a server's report that an elicitation has ended. */
  end(connection: Connection, id: string): void {
    const { waiting, ended } = this.at(connection);
    ended.set(id, true);
    for (const resolve of waiting.get(id) ?? []) resolve();
  }

  /** Resolves when all these elicitations have ended, or after the time limit. */
  async whenEnded(connection: Connection, ids: readonly string[]): Promise<void> {
    const { waiting, ended } = this.at(connection);
    const open = ids.filter((id) => ended.get(id) === undefined);
    const undo: (() => void)[] = [];
    const all = open.map((id) => new Promise<void>((resolve) => undo.push(listen(waiting, id, resolve))));
    await waitAtMost(URL_WAIT_MS, Promise.all(all), this.clock);
    for (const one of undo) one();
  }

  private at(connection: Connection): Elicitations {
    const known = this.elicitations.get(connection) ?? {
      waiting: new Map(),
      ended: new BoundedMap(MAX_ENDED),
    };
    this.elicitations.set(connection, known);
    return known;
  }
}

function listen(waiting: Elicitations['waiting'], id: string, resolve: () => void): () => void {
  const resolvers = waiting.get(id) ?? new Set();
  waiting.set(id, resolvers.add(resolve));
  return () => {
    resolvers.delete(resolve);
    if (resolvers.size === 0) waiting.delete(id);
  };
}
