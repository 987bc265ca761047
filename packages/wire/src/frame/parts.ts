/** The number of parts that are merged into one part. */
const PARTS_PER_MERGE = 1024;

/** The parts of one text in arrival order. Parts are merged, because each part has a memory overhead. */
export class Parts {
  private readonly merged: Buffer[] = [];
  private recent: Buffer[] = [];
  private bytes = 0;

  /** The total length in bytes. */
  get length(): number {
    return this.bytes;
  }

  get isEmpty(): boolean {
    return this.recent.length === 0 && this.merged.length === 0;
  }

  get all(): readonly Buffer[] {
    return this.merged.length === 0 ? this.recent : [...this.merged, ...this.recent];
  }

  push(part: Buffer): void {
    this.recent.push(part);
    this.bytes += part.length;
    if (this.recent.length < PARTS_PER_MERGE) return;
    this.merged.push(Buffer.concat(this.recent));
    this.recent = [];
  }

  /** Returns all parts in one piece. A single part is not copied. */
  whole(): Buffer {
    const { all } = this;
    const [only] = all;
    return all.length === 1 && only !== undefined ? only : Buffer.concat(all, this.bytes);
  }

  clear(): void {
    this.bytes = 0;
    this.merged.length = 0;
    this.recent = [];
  }
}
