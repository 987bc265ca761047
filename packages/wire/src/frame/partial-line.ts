import type { LineSlots, SlotLine } from '../pipe/line-slots.js';
import { runAtScopeEnd } from '../pipe/read-scope.js';
import { Parts } from './parts.js';

/** An owned line is copied again if its memory exceeds its length by more than this factor. */
const MAX_MEMORY_RATIO = 1.25;
const EMPTY = Buffer.alloc(0);

/** Returns slots for a line of about `length` bytes, or undefined if the line is short or slots are unavailable. */
export type SlotsFor = (length: number) => LineSlots | undefined;

/**
 * The beginning of an incomplete line.
 *
 * Peers often send consecutive lines of similar length, so the first part gets as much memory as the previous line
 * needed, and later parts need no second copy. A long borrowed line is assembled in a slot if one is free.
 */
export class PartialLine {
  length = 0;
  /** The slot in which the line is assembled, if any. */
  slotLine: SlotLine | undefined;
  private memory: Buffer = EMPTY;
  private filledBytes = 0;
  /** The parts that did not fit into the memory. */
  private readonly parts = new Parts();
  private expectedLength = 0;

  /** @param slotsFor present if lines are borrowed */
  constructor(private readonly slotsFor?: SlotsFor) {}

  /** Adds `part`, copying it unless it is already in its place in the slot. */
  add(part: Buffer): void {
    if (part.length === 0) return;
    const isFirst = this.length === 0;
    this.length += part.length;
    if (isFirst) this.beginLine(part);
    else if (this.slotLine === undefined) this.copyPart(part);
    else if (!this.slotLine.add(part)) {
      // The slot is full, so the line continues in separate memory.
      this.parts.push(Buffer.from(this.slotLine.bytes));
      this.parts.push(Buffer.from(part));
      releaseAtScopeEnd(this.slotLine);
      this.slotLine = undefined;
    }
  }

  /** Passes the current line to `sink` and begins the next one. A line in a slot is borrowed for the read scope. */
  finishLine(sink: (line: Buffer) => void): void {
    const { slotLine } = this;
    const line = slotLine?.bytes ?? this.joinParts();
    this.expectedLength = line.length;
    this.slotLine = undefined;
    this.clear();
    try {
      sink(line);
    } finally {
      // The slot is released after this line has been written, which is already scheduled.
      if (slotLine !== undefined) releaseAtScopeEnd(slotLine);
    }
  }

  /** Discards the line. */
  clear(): void {
    this.length = 0;
    if (this.slotLine !== undefined) releaseAtScopeEnd(this.slotLine);
    this.slotLine = undefined;
    this.memory = EMPTY;
    this.filledBytes = 0;
    this.parts.clear();
  }

  /** Returns the parts so far. */
  pieces(): readonly Buffer[] {
    if (this.slotLine !== undefined) return [this.slotLine.bytes];
    return [this.memory.subarray(0, this.filledBytes), ...this.parts.all];
  }

  private beginLine(part: Buffer): void {
    const length = Math.max(part.length, this.expectedLength);
    this.slotLine = this.slotsFor?.(length)?.beginLine(part, length);
    if (this.slotLine !== undefined) return;
    if (part.length < this.expectedLength) this.memory = Buffer.allocUnsafeSlow(this.expectedLength);
    this.copyPart(part);
  }

  private copyPart(part: Buffer): void {
    if (!this.parts.isEmpty || this.filledBytes + part.length > this.memory.length) {
      this.parts.push(Buffer.from(part));
    } else {
      this.filledBytes += part.copy(this.memory, this.filledBytes);
    }
  }

  private joinParts(): Buffer {
    const pieces = this.pieces();
    const [first, second] = pieces;
    if (second !== undefined) return Buffer.concat(pieces, this.length);
    const line = first ?? EMPTY;
    return line.length * MAX_MEMORY_RATIO < this.memory.length ? Buffer.from(line) : line;
  }
}

/** Releases a slot at the end of the read scope, because other borrowed lines from the same read may be in the slot. */
function releaseAtScopeEnd({ slot }: SlotLine): void {
  runAtScopeEnd(() => slot.release());
}
