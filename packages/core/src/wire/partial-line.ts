/** A line that is kept may keep so much alive, as a multiple of its own length, before it is copied once more. */
const WORTH_A_COPY = 1.25;
const EMPTY = Buffer.alloc(0);

/**
 * The beginning of a line whose end has not come yet, in memory of its own.
 *
 * Peers often send lines of one length after another. So the first part is given as much room as the last such line
 * took, and what comes after it needs no second copy.
 */
export class PartialLine {
  length = 0;
  private room: Buffer = EMPTY;
  private filled = 0;
  /** What had no place in the room. */
  private readonly parts: Buffer[] = [];
  private expectedLength = 0;

  /** Adds a copy of `part`. */
  add(part: Buffer): void {
    if (this.length === 0 && part.length < this.expectedLength) {
      this.room = Buffer.allocUnsafeSlow(this.expectedLength);
    }
    this.length += part.length;
    if (this.parts.length > 0 || this.filled + part.length > this.room.length) {
      this.parts.push(Buffer.from(part));
    } else {
      this.filled += part.copy(this.room, this.filled);
    }
  }

  /** The line as far as it has come; nothing is left here. */
  take(): Buffer {
    const line = this.whole();
    this.expectedLength = line.length;
    this.clear();
    return line;
  }

  /** Forgets the line. */
  clear(): void {
    this.length = 0;
    this.room = EMPTY;
    this.filled = 0;
    this.parts.length = 0;
  }

  /** What is there, in pieces. */
  pieces(): readonly Buffer[] {
    return [this.room.subarray(0, this.filled), ...this.parts];
  }

  private whole(): Buffer {
    const pieces = this.pieces();
    const [first, second] = pieces;
    if (second !== undefined) return Buffer.concat(pieces, this.length);
    const line = first ?? EMPTY;
    return line.length * WORTH_A_COPY < this.room.length ? Buffer.from(line) : line;
  }
}
