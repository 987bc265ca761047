const LINE_FEED = 0x0a;

/** The size of the longest line that is kept, in bytes. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Calls a function with each line of a stream of bytes, without the line end. */
export class LineTap {
  private parts: Buffer[] = [];
  /** The bytes of the line so far, also those that are not kept. */
  private size = 0;

  /**
   * @param onLine the line is undefined if it is longer than `maxBytes`
   * @param maxBytes bounds the memory of a line that never ends
   */
  constructor(
    private readonly onLine: (line: Buffer | undefined) => void,
    private readonly maxBytes = MAX_LINE_BYTES,
  ) {}

  write(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      this.add(chunk.subarray(from, at));
      from = at + 1;
      this.flush();
    }
    if (from < chunk.length) this.add(chunk.subarray(from));
  }

  /** Ends the stream, whose last line may have no end. */
  end(): void {
    if (this.size > 0) this.flush();
  }

  private add(part: Buffer): void {
    this.size += part.length;
    if (this.size > this.maxBytes) this.parts = [];
    else this.parts.push(part);
  }

  private flush(): void {
    const line = this.size > this.maxBytes ? undefined : Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    this.onLine(line);
  }
}
