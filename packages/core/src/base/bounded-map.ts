/** A map that forgets what was put into it first, so that peers cannot make it grow without end. */
export class BoundedMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();

  constructor(private readonly limit: number) {}

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
      if (matches(key)) this.entries.delete(key);
    }
  }

  set(key: Key, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.limit) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      return;
    }
  }
}
