const LINE_FEED = 0x0a;

/** The maximum length of a buffered line, in bytes. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Calls a function with each line of a byte stream, without the line end. */
export class LineTap {
  private parts: Buffer[] = [];
  /** The number of bytes in the current line, including discarded bytes. */
  private size = 0;

  /**
   * @param onLine receives each line, or undefined for a line longer than `maxBytes`
   * @param maxBytes limits the memory for a line that never ends
   */
  constructor(
    private readonly onLine: (line: Buffer | undefined) => void,
    private readonly maxBytes = MAX_LINE_BYTES,
  ) {}

  write(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.add(chunk.subarray(start, end));
      start = end + 1;
      this.flush();
    }
    if (start < chunk.length) this.add(chunk.subarray(start));
  }

  /** Ends the stream. Reports a last line without a line end. */
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
