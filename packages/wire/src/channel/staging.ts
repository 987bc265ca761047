import { toOwned } from '../pipe/read-buffers.js';
import { type UnassembledLine, MIN_PIECES_BYTES } from '../splice/splice.js';

/** The initial size of the memory, in bytes. It is large enough for the lines of most read scopes. */
const INITIAL_MEMORY_BYTES = 16 * 1024;
/**
 * The memory size, in bytes, for a peer that receives many lines. It avoids allocating memory in each scope, which
 * would cost more than copying the lines.
 */
const LARGE_MEMORY_BYTES = 144 * 1024;
const EMPTY = Buffer.alloc(0);

/** The lines of a {@link WriteQueue} that are sent together. Only small lines are copied, into one buffer. */
export class Staging {
  /** The number of staged bytes. */
  length = 0;
  private memory = EMPTY;
  /** The offset after the part of the memory that is already in a piece. */
  private piecesEnd = 0;
  /** The offset after the last byte written to the memory. */
  private writtenEnd = 0;
  private readonly readyPieces: Buffer[] = [];

  add(line: Buffer | UnassembledLine): void {
    const { length } = line;
    const isAssembled = Buffer.isBuffer(line);
    this.length += length;
    if (isAssembled && length >= MIN_PIECES_BYTES) {
      this.pieces();
      this.readyPieces.push(line);
      return;
    }
    const neededBytes = isAssembled ? length : line.needed;
    if (this.writtenEnd + neededBytes > this.memory.length) this.allocate(neededBytes);
    if (isAssembled) this.writtenEnd += line.copy(this.memory, this.writtenEnd);
    else this.writtenEnd = line.writeTo(this.memory, this.writtenEnd);
  }

  /** Returns all lines as pieces, which are valid until {@link clear}. */
  pieces(): readonly Buffer[] {
    // The bytes since the last piece become one piece.
    if (this.writtenEnd > this.piecesEnd)
      this.readyPieces.push(this.memory.subarray(this.piecesEnd, this.writtenEnd));
    this.piecesEnd = this.writtenEnd;
    return this.readyPieces;
  }

  /**
   * Returns the lines without the first `count` bytes, as pieces that may be stored. No piece keeps more memory alive
   * than it needs.
   *
   * @param retains retains the memory of a piece and returns true, or returns false if the piece must be copied
   */
  remainingPieces(count: number, retains: (piece: Buffer) => boolean = () => false): readonly Buffer[] {
    const remaining: Buffer[] = [];
    let before = count;
    for (const piece of this.pieces()) {
      if (before < piece.length) {
        const remainder = before === 0 ? piece : piece.subarray(before);
        const ownedCopy = remainder.buffer === this.memory.buffer ? Buffer.from(remainder) : undefined;
        remaining.push(ownedCopy ?? (retains(remainder) ? remainder : toOwned(remainder)));
      }
      before = Math.max(0, before - piece.length);
    }
    return remaining;
  }

  /** Removes all lines and keeps the memory for reuse. */
  clear(): void {
    this.readyPieces.length = 0;
    this.length = 0;
    this.piecesEnd = 0;
    this.writtenEnd = 0;
    if (this.memory.length > LARGE_MEMORY_BYTES) this.memory = EMPTY;
  }

  private allocate(length: number): void {
    this.pieces();
    const size = this.memory.length === 0 ? INITIAL_MEMORY_BYTES : LARGE_MEMORY_BYTES;
    this.memory = Buffer.allocUnsafeSlow(Math.max(size, length));
    this.piecesEnd = 0;
    this.writtenEnd = 0;
  }
}
