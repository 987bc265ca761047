const LINE_FEED = 0x0a;

/** The maximum length of a buffered line, in bytes. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Calls a function with each line of a byte stream, without the line feed. */
export class LineTap {
  private lineParts: Buffer[] = [];
  /** The number of bytes in the current line, including discarded bytes. */
  private lineBytes = 0;

  /**
   * @param onLine receives each line, or undefined for a line longer than `maxBytes`
   * @param maxBytes the length above which a line is discarded, to limit memory
   */
  constructor(
    private readonly onLine: (line: Buffer | undefined) => void,
    private readonly maxBytes = MAX_LINE_BYTES,
  ) {}

  write(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.append(chunk.subarray(start, end));
      start = end + 1;
      this.reportLine();
    }
    if (start < chunk.length) this.append(chunk.subarray(start));
  }

  /** Reports the last line even if it does not end with a line feed. */
  end(): void {
    if (this.lineBytes > 0) this.reportLine();
  }

  private append(part: Buffer): void {
    this.lineBytes += part.length;
    if (this.lineBytes > this.maxBytes) this.lineParts = [];
    else this.lineParts.push(part);
  }

  private reportLine(): void {
    const line = this.lineBytes > this.maxBytes ? undefined : Buffer.concat(this.lineParts);
    this.lineParts = [];
    this.lineBytes = 0;
    this.onLine(line);
  }
}
