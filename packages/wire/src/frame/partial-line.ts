import type { LineSlots, SlotLine } from '../pipe/line-slots.js';
import { atScopeEnd } from '../pipe/read-scope.js';
import { Parts } from './parts.js';

/** An owned line may pin this many times its own length before it is copied once more. */
const WORTH_A_COPY = 1.25;
const EMPTY = Buffer.alloc(0);

/** Gives slots for a line of about `length` bytes, if there are any and the line is worth one. */
export type SlotsFor = (length: number) => LineSlots | undefined;

/**
 * The beginning of a line whose end has not come yet.
 *
 * Peers often send lines of one length after another. So the first part is given as much memory as the last such line
 * took, and the next parts need no second copy. A long borrowed line comes together in a slot, if one is free.
 */
export class PartialLine {
  length = 0;
  /** Where the line comes together, if that is a slot. */
  inSlot: SlotLine | undefined;
  private memory: Buffer = EMPTY;
  private filled = 0;
  /** Parts that had no place in the memory. */
  private readonly parts = new Parts();
  private expectedLength = 0;

  /** @param slotsFor given when lines are borrowed */
  constructor(private readonly slotsFor?: SlotsFor) {}

  /** Adds `part`, which is copied, if it does not stand in the slot where it belongs. */
  add(part: Buffer): void {
    if (part.length === 0) return;
    const isFirst = this.length === 0;
    this.length += part.length;
    if (isFirst) this.begin(part);
    else if (this.inSlot === undefined) this.keep(part);
    else if (!this.inSlot.add(part)) {
      // It goes on in memory of its own.
      this.parts.push(Buffer.from(this.inSlot.bytes));
      this.parts.push(Buffer.from(part));
      releaseLater(this.inSlot);
      this.inSlot = undefined;
    }
  }

  /** Hands over the line as far as it has come, and forgets it. A line in a slot is borrowed: gone after the read scope. */
  take(sink: (line: Buffer) => void): void {
    const { inSlot } = this;
    const line = inSlot?.bytes ?? this.whole();
    this.expectedLength = line.length;
    this.inSlot = undefined;
    this.clear();
    try {
      sink(line);
    } finally {
      // Behind the write of this line: that has been asked for by now.
      if (inSlot !== undefined) releaseLater(inSlot);
    }
  }

  /** Forgets the line. */
  clear(): void {
    this.length = 0;
    if (this.inSlot !== undefined) releaseLater(this.inSlot);
    this.inSlot = undefined;
    this.memory = EMPTY;
    this.filled = 0;
    this.parts.clear();
  }

  /** The parts so far. */
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

/** Not before the end of the read scope: other borrowed lines of the same read may stand in the slot. */
function releaseLater({ slot }: SlotLine): void {
  atScopeEnd(() => slot.release());
}
