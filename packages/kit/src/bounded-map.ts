/** The maximum average size of an entry, in characters or bytes. */
const MAX_AVERAGE_LENGTH = 4096;

/**
 * A map that evicts its oldest entries, so that peers cannot make it grow without limit, not even with long strings.
 */
export class BoundedMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  /** The total length of all strings and buffers that are keys or values. */
  private totalLength = 0;

  constructor(private readonly maxEntries: number) {}

  get(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  has(matches: (key: Key) => boolean): boolean {
    for (const key of this.entries.keys()) {
      if (matches(key)) return true;
    }
    return false;
  }

  deleteWhere(matches: (key: Key) => boolean): void {
    for (const key of this.entries.keys()) {
      if (matches(key)) this.delete(key);
    }
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.entries.set(key, value);
    this.totalLength += lengthOf(key) + lengthOf(value);
    for (const oldest of this.entries.keys()) {
      // The newest entry is kept even if it alone exceeds the size limit.
      if (!this.isOverLimit || this.entries.size === 1) return;
      this.delete(oldest);
    }
  }

  private get isOverLimit(): boolean {
    return this.entries.size > this.maxEntries || this.totalLength > this.maxEntries * MAX_AVERAGE_LENGTH;
  }

  private delete(key: Key): void {
    const value = this.entries.get(key);
    if (this.entries.delete(key)) this.totalLength -= lengthOf(key) + lengthOf(value);
  }
}

function lengthOf(part: unknown): number {
  return typeof part === 'string' || Buffer.isBuffer(part) ? part.length : 0;
}
