const LINE_FEED = 0x0a;

/** Calls a function with each line of a stream of bytes, without the line end. */
export class LineTap {
  private parts: Buffer[] = [];

  constructor(private readonly onLine: (line: Buffer) => void) {}

  write(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      this.parts.push(chunk.subarray(from, at));
      from = at + 1;
      this.flush();
    }
    if (from < chunk.length) this.parts.push(chunk.subarray(from));
  }

  /** Ends the stream, whose last line may have no end. */
  end(): void {
    if (this.parts.length > 0) this.flush();
  }

  private flush(): void {
    const line = Buffer.concat(this.parts);
    this.parts = [];
    this.onLine(line);
  }
}
