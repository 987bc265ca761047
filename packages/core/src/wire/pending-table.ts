/**
 * Requests that wait for their answer, by id.
 *
 * {@link take} is the only way out: whoever gets an entry answers it, and nobody else can, so there is exactly one
 * answer whatever races with what.
 */
export class PendingTable<Id, Entry> {
  private readonly entries = new Map<Id, Entry>();
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
    if (this.entries.size === 0) {
      for (const resolve of this.idleWaiters.splice(0)) resolve();
    }
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
}
