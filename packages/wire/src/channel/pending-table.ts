/** Minimum number of removed entries before the map is replaced. */
const MIN_REMOVALS = 64;
/** Minimum number of removed entries per remaining entry, because a renewal copies all remaining entries. */
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
    // Renewing an empty table costs nothing. Tables of clients with few requests in flight are often empty.
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
   * Replaces the map with a copy. A map whose entries change often replaces its table repeatedly, and in V8 each old
   * table points to the next. If one of them is in the old space, it keeps all following tables and their entries alive
   * until the next full collection. After 100,000 calls, the chain costs 10 MB and half of the collection time. If
   * entries contain responses of 100 KB, a full collection runs every hundred calls. A new map ends the chain.
   */
  private renewMap(): void {
    this.removalsSinceRenewal = 0;
    this.entries = new Map(this.entries);
  }
}

/**
 * A set in insertion order for members that live as long as a request. Removed members can be collected at once. A
 * plain set would keep them alive, because in V8 its old tables are linked as in a map ({@link PendingTable}).
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

  /** Returns false if the set does not contain the member. */
  delete(member: Member): boolean {
    return this.members.take(member) !== undefined;
  }

  /** Iterates over a snapshot of the members, which later changes do not affect. */
  [Symbol.iterator](): IterableIterator<Member> {
    return [...this.members.values()].values();
  }
}
