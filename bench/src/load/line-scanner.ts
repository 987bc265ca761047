import { ScannedLine } from './scanned-line.js';

const NEWLINE = 0x0a;

/** Cuts a byte stream at its newlines, without looking at or copying anything else. */
export class LineScanner {
  private parts: Buffer[] = [];
  private length = 0;

  constructor(private readonly onLine: (line: ScannedLine) => void) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.take(chunk.subarray(start, end));
      this.emit();
      start = end + 1;
    }
    if (start < chunk.length) this.take(chunk.subarray(start));
  }

  /** The stream has ended: what has no newline is a line too. */
  end(): void {
    if (this.length > 0) this.emit();
  }

  private take(part: Buffer): void {
    this.parts.push(part);
    this.length += part.length;
  }

  private emit(): void {
    const line = new ScannedLine(this.parts, this.length);
    this.parts = [];
    this.length = 0;
    this.onLine(line);
  }
}
