import type { LineSlots, SlotLine } from '../pipe/line-slots.js';
import { atScopeEnd } from '../pipe/read-scope.js';
import { Parts } from './parts.js';

/** An owned line is copied once more if it would keep alive more than this multiple of its length. */
const WORTH_A_COPY = 1.25;
const EMPTY = Buffer.alloc(0);

/** Returns slots for a line of about `length` bytes, if there are any and the line is long enough. */
export type SlotsFor = (length: number) => LineSlots | undefined;

/**
 * The beginning of an incomplete line.
 *
 * Peers often send consecutive lines of equal length. The first part is therefore given as much memory as the last such
 * line needed, and the next parts need no second copy. A long borrowed line is assembled in a slot if one is free.
 */
export class PartialLine {
  length = 0;
  /** The line in its slot, if the line is assembled in one. */
  inSlot: SlotLine | undefined;
  private memory: Buffer = EMPTY;
  private filled = 0;
  /** Parts that did not fit into the memory. */
  private readonly parts = new Parts();
  private expectedLength = 0;

  /** @param slotsFor present if lines are borrowed */
  constructor(private readonly slotsFor?: SlotsFor) {}

  /** Adds `part`. It is copied unless it is already at its position in the slot. */
  add(part: Buffer): void {
    if (part.length === 0) return;
    const isFirst = this.length === 0;
    this.length += part.length;
    if (isFirst) this.begin(part);
    else if (this.inSlot === undefined) this.keep(part);
    else if (!this.inSlot.add(part)) {
      // The line continues in separate memory.
      this.parts.push(Buffer.from(this.inSlot.bytes));
      this.parts.push(Buffer.from(part));
      releaseLater(this.inSlot);
      this.inSlot = undefined;
    }
  }

  /**
   * Passes the line so far to `sink`, and clears it. A line in a slot is borrowed and valid only until the end of the
   * read scope.
   */
  take(sink: (line: Buffer) => void): void {
    const { inSlot } = this;
    const line = inSlot?.bytes ?? this.whole();
    this.expectedLength = line.length;
    this.inSlot = undefined;
    this.clear();
    try {
      sink(line);
    } finally {
      // The slot is released after the write of this line, which has already been requested.
      if (inSlot !== undefined) releaseLater(inSlot);
    }
  }

  /** Clears the line. */
  clear(): void {
    this.length = 0;
    if (this.inSlot !== undefined) releaseLater(this.inSlot);
    this.inSlot = undefined;
    this.memory = EMPTY;
    this.filled = 0;
    this.parts.clear();
  }

  /** Returns the parts so far. */
  pieces(): readonly Buffer[] {
    if (this.inSlot !== undefined) return [this.inSlot.bytes];
    return [this.memory.subarray(0, this.filled), ...this.parts.all];
  }

  private begin(part: Buffer): void {
    const length = Math.max(part.length, this.expectedLength);
    this.inSlot = this.slotsFor?.(length)?.begin(part, length);
    if (this.inSlot !== undefined) return;
    if (part.length < this.expectedLength) this.memory = Buffer.allocUnsafeSlow(this.expectedLength);
    this.keep(part);
  }

  private keep(part: Buffer): void {
    if (!this.parts.isEmpty || this.filled + part.length > this.memory.length) {
      this.parts.push(Buffer.from(part));
    } else {
      this.filled += part.copy(this.memory, this.filled);
    }
  }

  private whole(): Buffer {
    const pieces = this.pieces();
    const [first, second] = pieces;
    if (second !== undefined) return Buffer.concat(pieces, this.length);
    const line = first ?? EMPTY;
    return line.length * WORTH_A_COPY < this.memory.length ? Buffer.from(line) : line;
  }
}

/** Releases a slot at the end of the read scope, because other borrowed lines from the same read may be in the slot. */
function releaseLater({ slot }: SlotLine): void {
  atScopeEnd(() => slot.release());
}
