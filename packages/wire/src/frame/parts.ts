/** How many parts are merged into one. */
const PARTS_PER_MERGE = 1024;

/** The parts of one text in arrival order. Small parts are merged, because each part has a memory overhead. */
export class Parts {
  private readonly mergedParts: Buffer[] = [];
  private recentParts: Buffer[] = [];
  private totalBytes = 0;

  /** The total length in bytes. */
  get length(): number {
    return this.totalBytes;
  }

  get isEmpty(): boolean {
    return this.recentParts.length === 0 && this.mergedParts.length === 0;
  }

  get all(): readonly Buffer[] {
    return this.mergedParts.length === 0 ? this.recentParts : [...this.mergedParts, ...this.recentParts];
  }

  push(part: Buffer): void {
    this.recentParts.push(part);
    this.totalBytes += part.length;
    if (this.recentParts.length < PARTS_PER_MERGE) return;
    this.mergedParts.push(Buffer.concat(this.recentParts));
    this.recentParts = [];
  }

  /** Returns all parts as one buffer. A single part is not copied. */
  whole(): Buffer {
    const { all } = this;
    const [only] = all;
    return all.length === 1 && only !== undefined ? only : Buffer.concat(all, this.totalBytes);
  }

  clear(): void {
    this.totalBytes = 0;
    this.mergedParts.length = 0;
    this.recentParts = [];
  }
}
