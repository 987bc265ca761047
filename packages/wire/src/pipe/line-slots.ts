/** The number of slots, the space in bytes for one read, and the minimum space that makes a read worthwhile. */
const SLOT_SIZES = { count: 3, read: 256 * 1024, leastRead: 64 * 1024 };

/** Memory for one line and for any bytes read together with its end. A retained slot is not reused for another line. */
export class Slot {
  private userCount = 0;

  constructor(readonly memory: Buffer) {}

  get isFree(): boolean {
    return this.userCount === 0;
  }

  retain(): void {
    this.userCount += 1;
  }

  /** @throws Error if the slot is not retained */
  release(): void {
    if (this.isFree) throw new Error('this slot is not retained');
    this.userCount -= 1;
  }
}

/**
 * Memory in which long lines are assembled, each in its own slot. Each part of a line is read directly after the
 * previous part. Allocating new memory for a megabyte line would cost as much as sending it.
 */
export class LineSlots {
  private readonly slots: readonly Slot[];
  private readonly slotBytes: number;

  constructor(
    private readonly memory: Buffer,
    private readonly sizes = SLOT_SIZES,
  ) {
    const bytes = Math.floor(memory.length / sizes.count);
    this.slotBytes = bytes;
    this.slots = Array.from(
      { length: sizes.count },
      (_, index) => new Slot(memory.subarray(index * bytes, (index + 1) * bytes)),
    );
  }

  /**
   * Begins a line of about `length` bytes with `part`. Returns undefined if no slot is free or the line is too long.
   */
  beginLine(part: Buffer, length: number): SlotLine | undefined {
    if (Math.max(part.length, length) > this.slotBytes) return undefined;
    const slot = this.slots.find(({ isFree }) => isFree);
    return slot && new SlotLine(slot, part, this.sizes);
  }

  /** Returns the slot that contains these bytes. */
  findSlot(bytes: Buffer): Slot | undefined {
    if (bytes.buffer !== this.memory.buffer) return undefined;
    return this.slots[Math.floor((bytes.byteOffset - this.memory.byteOffset) / this.slotBytes)];
  }

  /** The free slots, for tests that overwrite them. */
  get freeSlots(): readonly Slot[] {
    return this.slots.filter(({ isFree }) => isFree);
  }
}

/** A line that is assembled in a slot, which it retains. The line's owner must release the slot. */
export class SlotLine {
  private lineEnd: number;

  constructor(
    readonly slot: Slot,
    part: Buffer,
    private readonly sizes: typeof SLOT_SIZES,
  ) {
    slot.retain();
    this.lineEnd = part.copy(slot.memory);
  }

  get bytes(): Buffer {
    return this.slot.memory.subarray(0, this.lineEnd);
  }

  /** Adds a part, copying it unless it was read directly into its place. Returns false if there is not enough space. */
  add(part: Buffer): boolean {
    const { lineEnd } = this;
    const { memory } = this.slot;
    const isInPlace = part.buffer === memory.buffer && part.byteOffset === memory.byteOffset + lineEnd;
    if (!isInPlace) {
      if (lineEnd + part.length > memory.length) return false;
      part.copy(memory, lineEnd);
    }
    this.lineEnd += part.length;
    return true;
  }

  /** Returns the memory for the next read, directly after the line, or undefined if too little space is left. */
  nextReadBuffer(): Buffer | undefined {
    const { memory } = this.slot;
    const readSpace = Math.min(this.sizes.read, memory.length - this.lineEnd);
    return readSpace < this.sizes.leastRead
      ? undefined
      : memory.subarray(this.lineEnd, this.lineEnd + readSpace);
  }
}
