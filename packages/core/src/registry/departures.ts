import type { Upstream } from '../upstream/upstream.js';

/** Servers that were removed while their processes are still coming down. */
export class Departures {
  private readonly leaving = new Map<string, Promise<void>>();
  private readonly upstreams = new Set<Upstream>();

  /** Servers that may still have a process. */
  get servers(): Iterable<Upstream> {
    return this.upstreams;
  }

  /** Resolves when all servers that had this key are gone: their successor needs the ports and files they hold. */
  allGone(key: string): Promise<void> | undefined {
    return this.leaving.get(key);
  }

  /** @param gone resolves when the server has no process any more */
  async add(key: string, upstream: Upstream, gone: Promise<void>): Promise<void> {
    const allGone = Promise.all([this.leaving.get(key), gone]).then(() => undefined);
    this.leaving.set(key, allGone);
    this.upstreams.add(upstream);
    await allGone;
    this.upstreams.delete(upstream);
    if (this.leaving.get(key) === allGone) this.leaving.delete(key);
  }
}
