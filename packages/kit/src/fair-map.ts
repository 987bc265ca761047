/** The limits of a {@link FairMap}, as total weights. An ordinary entry has the weight 1. */
export interface FairLimits {
  readonly perOwner: number;
  /** The limit for all owners together. Must be at least `perOwner`. */
  readonly all: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly owner: string;
  readonly weight: number;
}

interface OwnerEntries<Key> {
  /** The keys, in the order they were added. */
  readonly keys: Set<Key>;
  weight: number;
}

/**
 * A map whose entries have owners. When an owner exceeds its limit, its oldest entries are evicted. When all owners
 * together exceed theirs, the oldest entries of the owner with the greatest weight are evicted, so an owner cannot
 * evict the entries of an owner with less weight.
 */
export class FairMap<Key, Value> {
  private readonly entries = new Map<Key, Entry<Value>>();
  private readonly entriesByOwner = new Map<string, OwnerEntries<Key>>();
  private weight = 0;

  constructor(private readonly limits: FairLimits) {}

  get(key: Key): Value | undefined {
    return this.entries.get(key)?.value;
  }

  values(): readonly Value[] {
    return [...this.entries.values()].map(({ value }) => value);
  }

  /** @param weight - greater than 1 for an entry that uses more memory than an ordinary one */
  set(key: Key, value: Value, owner: string, weight = 1): void {
    const { perOwner, all } = this.limits;
    this.delete(key);
    // An entry's weight is capped at the owner's limit, so that a new entry is not evicted immediately.
    const cappedWeight = Math.max(1, Math.min(weight, perOwner));
    this.entries.set(key, { value, owner, weight: cappedWeight });
    const ownerEntries = this.entriesByOwner.get(owner) ?? { keys: new Set(), weight: 0 };
    this.entriesByOwner.set(owner, ownerEntries);
    ownerEntries.keys.add(key);
    ownerEntries.weight += cappedWeight;
    this.weight += cappedWeight;
    while (ownerEntries.weight > perOwner) this.deleteOldest(ownerEntries);
    while (this.weight > all) this.deleteOldest(this.largestOwner());
  }

  deleteWhere(matches: (key: Key) => boolean): void {
    for (const key of this.entries.keys()) {
      if (matches(key)) this.delete(key);
    }
  }

  /** Returns the entries of the owner with the greatest weight. In a tie, the owner that was added first wins. */
  private largestOwner(): OwnerEntries<Key> | undefined {
    let largest: OwnerEntries<Key> | undefined;
    for (const ownerEntries of this.entriesByOwner.values()) {
      if (ownerEntries.weight > (largest?.weight ?? 0)) largest = ownerEntries;
    }
    return largest;
  }

  private deleteOldest(ownerEntries: OwnerEntries<Key> | undefined): void {
    const [oldest] = ownerEntries?.keys ?? [];
    if (oldest !== undefined) this.delete(oldest);
  }

  private delete(key: Key): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.weight -= entry.weight;
    const ownerEntries = this.entriesByOwner.get(entry.owner);
    if (ownerEntries === undefined) return;
    ownerEntries.keys.delete(key);
    ownerEntries.weight -= entry.weight;
    if (ownerEntries.keys.size === 0) this.entriesByOwner.delete(entry.owner);
  }
}
