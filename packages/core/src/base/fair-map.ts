/** A map of entries that have owners. Each owner's oldest entries are forgotten; no owner pushes out those of another. */
export class FairMap<Key, Value> {
  private readonly entries = new Map<Key, { readonly value: Value; readonly owner: string }>();
  /** The keys of each owner, in the order of addition. */
  private readonly keys = new Map<string, Set<Key>>();

  constructor(private readonly limitPerOwner: number) {}

  get(key: Key): Value | undefined {
    return this.entries.get(key)?.value;
  }

  values(): readonly Value[] {
    return [...this.entries.values()].map(({ value }) => value);
  }

  set(key: Key, value: Value, owner: string): void {
    this.delete(key);
    const keys = this.keys.get(owner) ?? new Set();
    this.keys.set(owner, keys.add(key));
    this.entries.set(key, { value, owner });
    const [oldest] = keys;
    if (keys.size > this.limitPerOwner && oldest !== undefined) this.delete(oldest);
  }

  deleteWhere(matches: (key: Key) => boolean): void {
    for (const key of this.entries.keys()) {
      if (matches(key)) this.delete(key);
    }
  }

  private delete(key: Key): void {
    const owner = this.entries.get(key)?.owner;
    if (owner === undefined) return;
    this.entries.delete(key);
    const keys = this.keys.get(owner);
    keys?.delete(key);
    if (keys?.size === 0) this.keys.delete(owner);
  }
}
