/** The minimum number of removed entries before the map is replaced. */
const MIN_REMOVALS = 64;
/** The minimum ratio of removed to remaining entries for replacing the map, which copies all remaining entries. */
const MIN_REMOVALS_PER_ENTRY = 4;

/**
 * Requests that wait for their response, by id.
 *
 * Entries are removed only with {@link take}. The caller that receives an entry must answer it, and no other caller can
 * receive the entry. Each request therefore gets exactly one response, regardless of races.
 */
export class PendingTable<Id, Entry> {
  private entries = new Map<Id, Entry>();
  private removalsSinceRenewal = 0;
  private idleWaiters: (() => void)[] = [];

  get size(): number {
    return this.entries.size;
  }

  has(id: Id): boolean {
    return this.entries.has(id);
  }

  /** Returns an entry without removing it. */
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
    this.removalsSinceRenewal += 1;
    const { size } = this.entries;
    // Replacing an empty map costs nothing. The tables of clients with few requests in flight are often empty.
    if (size === 0 || this.removalsSinceRenewal >= Math.max(MIN_REMOVALS, MIN_REMOVALS_PER_ENTRY * size))
      this.renewMap();
    if (size === 0 && this.idleWaiters.length > 0) this.reportIdle();
    return entry;
  }

  /** Removes and returns all entries. */
  takeAll(): readonly Entry[] {
    return [...this.entries.keys()].map((id) => this.take(id)).filter((entry) => entry !== undefined);
  }

  /** Resolves when the table is empty. */
  whenIdle(): Promise<void> {
    if (this.entries.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  private reportIdle(): void {
    for (const resolve of this.idleWaiters.splice(0)) resolve();
  }

  /**
   * Replaces the map with a copy. V8 repeatedly reallocates the internal table of a map whose entries change often, and
   * links each old table to the next. Once one table is in the old space, it keeps all later tables and their entries
   * alive until the next full collection. After 100,000 calls, this chain costs 10 MB and half of the collection time.
   * If entries hold responses of 100 KB, it causes a full collection every hundred calls. A new map ends the chain.
   */
  private renewMap(): void {
    this.removalsSinceRenewal = 0;
    this.entries = new Map(this.entries);
  }
}

/**
 * An insertion-ordered set whose removed members can be collected at once. A plain set would keep them alive, because
 * V8 links its old tables like those in a map ({@link PendingTable}). Suited to members that live only as long as a
 * request.
 */
export class RenewedSet<Member> implements Iterable<Member> {
  private readonly members = new PendingTable<Member, Member>();

  get size(): number {
    return this.members.size;
  }

  has(member: Member): boolean {
    return this.members.has(member);
  }

  add(member: Member): void {
    this.members.add(member, member);
  }

  /** Removes a member. Returns false if the set did not contain it. */
  delete(member: Member): boolean {
    return this.members.take(member) !== undefined;
  }

  /** Iterates over a snapshot of the members, which later changes do not affect. */
  [Symbol.iterator](): IterableIterator<Member> {
    return [...this.members.values()].values();
  }
}
