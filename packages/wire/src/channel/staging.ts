import { toOwned } from '../pipe/read-buffers.js';
import type { UnassembledLine } from '../splice/outgoing-line.js';
import { WORTH_PIECES_BYTES } from '../splice/splice.js';

/** Enough for the lines of most read scopes, */
const FEW_BYTES = 16 * 1024;
/** and for those of a peer that gets many: fresh memory in each scope costs more than the copies. */
const MANY_BYTES = 144 * 1024;
const EMPTY = Buffer.alloc(0);

/** Lines of a {@link WriteQueue} that leave together: small ones side by side in one memory, large ones as they are. */
export class Staging {
  /** Staged bytes. */
  length = 0;
  private memory = EMPTY;
  /** End of the part of the memory that stands in a piece already, */
  private taken = 0;
  /** and of the part that is written. */
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

  /** All lines, in pieces. The memory is theirs until {@link clear}. */
  pieces(): readonly Buffer[] {
    // The bytes written since the last piece become one.
    if (this.written > this.taken) this.full.push(this.memory.subarray(this.taken, this.written));
    this.taken = this.written;
    return this.full;
  }

  /**
   * The lines behind the first `count` bytes, in pieces that may be stored: none has more memory than it needs.
   *
   * @param retains whether somebody sees to it that a piece stays where it is
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

  /** Begins anew, in the same memory. */
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
