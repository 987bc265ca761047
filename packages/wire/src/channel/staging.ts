import { toOwned } from '../pipe/read-buffers.js';
import { type UnassembledLine, WORTH_PIECES_BYTES } from '../splice/splice.js';

/** Enough for the lines of most read scopes. */
const FEW_BYTES = 16 * 1024;
/** Enough for the lines to a peer that gets many. Allocating memory in each scope costs more than the copies. */
const MANY_BYTES = 144 * 1024;
const EMPTY = Buffer.alloc(0);

/**
 * Lines of a {@link WriteQueue} that are sent together. Small lines are copied into one buffer, and large lines are not
 * copied.
 */
export class Staging {
  /** The number of staged bytes. */
  length = 0;
  private memory = EMPTY;
  /** End of the part of the memory that a piece already contains. */
  private taken = 0;
  /** End of the written part of the memory. */
  private written = 0;
  private readonly full: Buffer[] = [];

  add(line: Buffer | UnassembledLine): void {
    const { length } = line;
    const isAssembled = Buffer.isBuffer(line);
    this.length += length;
    if (isAssembled && length >= WORTH_PIECES_BYTES) {
      this.pieces();
      this.full.push(line);
      return;
    }
    const needed = isAssembled ? length : line.needed;
    if (this.written + needed > this.memory.length) this.renew(needed);
    if (isAssembled) this.written += line.copy(this.memory, this.written);
    else this.written = line.writeTo(this.memory, this.written);
  }

  /** Returns all lines in pieces, which may use the memory until {@link clear}. */
  pieces(): readonly Buffer[] {
    // The bytes since the last piece become one piece.
    if (this.written > this.taken) this.full.push(this.memory.subarray(this.taken, this.written));
    this.taken = this.written;
    return this.full;
  }

  /**
   * Returns the lines after the first `count` bytes, in pieces that may be stored. No piece keeps more memory alive
   * than it needs.
   *
   * @param retains retains the memory of a piece and returns true, or returns false if the piece must be copied
   */
  rest(count: number, retains: (piece: Buffer) => boolean = () => false): readonly Buffer[] {
    const rest: Buffer[] = [];
    let before = count;
    for (const piece of this.pieces()) {
      if (before < piece.length) {
        const left = before === 0 ? piece : piece.subarray(before);
        const owned = left.buffer === this.memory.buffer ? Buffer.from(left) : undefined;
        rest.push(owned ?? (retains(left) ? left : toOwned(left)));
      }
      before = Math.max(0, before - piece.length);
    }
    return rest;
  }

  /** Removes all lines, and keeps the memory for reuse. */
  clear(): void {
    this.full.length = 0;
    this.length = 0;
    this.taken = 0;
    this.written = 0;
    if (this.memory.length > MANY_BYTES) this.memory = EMPTY;
  }

  private renew(length: number): void {
    this.pieces();
    const size = this.memory.length === 0 ? FEW_BYTES : MANY_BYTES;
    this.memory = Buffer.allocUnsafeSlow(Math.max(size, length));
    this.taken = 0;
    this.written = 0;
  }
}
