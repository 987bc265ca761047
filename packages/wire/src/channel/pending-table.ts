/** Minimum number of entries that come and go before the map is renewed. */
const RENEWAL = 64;
/** The same number for each waiting entry, because a renewal copies each of these. */
const RENEWAL_PER_COPY = 4;

/**
 * Requests that wait for their answer, by id.
 *
 * {@link take} is the only way out: whoever gets an entry answers it, and nobody else can, so there is exactly one
 * answer whatever races with what.
 */
export class PendingTable<Id, Entry> {
  private entries = new Map<Id, Entry>();
  private takenSinceRenewal = 0;
  private idleWaiters: (() => void)[] = [];

  get size(): number {
    return this.entries.size;
  }

  has(id: Id): boolean {
    return this.entries.has(id);
  }

  /** Looks at an entry that goes on waiting. */
  peek(id: Id): Entry | undefined {
    return this.entries.get(id);
  }

  keys(): IterableIterator<Id> {
    return this.entries.keys();
  }

  values(): IterableIterator<Entry> {
    return this.entries.values();
  }

  add(id: Id, entry: Entry): void {
    this.entries.set(id, entry);
  }

  /** Removes and returns an entry. */
  take(id: Id): Entry | undefined {
    const entry = this.entries.get(id);
    if (entry === undefined) return undefined;
    this.entries.delete(id);
    this.takenSinceRenewal += 1;
    const { size } = this.entries;
    // An empty one costs nothing to renew: tables of clients with few requests in flight are empty again and again.
    if (size === 0 || this.takenSinceRenewal >= Math.max(RENEWAL, RENEWAL_PER_COPY * size)) this.renew();
    if (size === 0 && this.idleWaiters.length > 0) this.reportIdle();
    return entry;
  }

  /** Removes and returns all entries. */
  takeAll(): readonly Entry[] {
    return [...this.entries.keys()].map((id) => this.take(id)).filter((entry) => entry !== undefined);
  }

  /** Resolves as soon as nothing waits. */
  whenIdle(): Promise<void> {
    if (this.entries.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  private reportIdle(): void {
    for (const resolve of this.idleWaiters.splice(0)) resolve();
  }

  /**
   * A map whose entries come and go replaces its table again and again, and in V8 each old table points to the next. As
   * soon as one of them is in the old space, it keeps all that follow alive, with every entry, until the next full
   * collection: 10 MB after 100,000 calls, and half of the time of collections. If the entries hold answers of 100 KB, full
   * collections come every hundred calls. A new map is where that ends.
   */
  private renew(): void {
    this.takenSinceRenewal = 0;
    this.entries = new Map(this.entries);
  }
}
