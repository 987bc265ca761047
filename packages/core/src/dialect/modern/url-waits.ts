import { waitAtMost, type Clock } from '../../base/clock.js';
import { BoundedMap } from '../../base/bounded-map.js';
import type { Connection } from '../../upstream/link/connection.js';

/** How long a call waits for what its user does at a URL, in milliseconds. */
export const URL_WAIT_MS = 60_000;
/** Ends of elicitations that are remembered for those who come later. */
const MAX_ENDED = 1000;

/** Waits for servers to say that what their users were to do at a URL is done. */
export class UrlWaits {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly ended = new WeakMap<Connection, BoundedMap<string, true>>();

  constructor(private readonly clock: Clock) {}

  /** A server says that an elicitation is over. */
  end(connection: Connection, id: string): void {
    const ended = this.ended.get(connection) ?? new BoundedMap<string, true>(MAX_ENDED);
    this.ended.set(connection, ended);
    ended.set(id, true);
    for (const resolve of this.waiting.get(id) ?? []) resolve();
  }

  /** Resolves when all of these are over, or have had their time. */
  async whenEnded(connection: Connection, ids: readonly string[]): Promise<void> {
    const ended = this.ended.get(connection);
    const open = ids.filter((id) => ended?.get(id) === undefined);
    const undo: (() => void)[] = [];
    const all = open.map((id) => new Promise<void>((resolve) => undo.push(this.listen(id, resolve))));
    await waitAtMost(URL_WAIT_MS, Promise.all(all), this.clock);
    for (const one of undo) one();
  }

  private listen(id: string, resolve: () => void): () => void {
    const waiting = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, waiting.add(resolve));
    return () => {
      waiting.delete(resolve);
      if (waiting.size === 0) this.waiting.delete(id);
    };
  }
}
