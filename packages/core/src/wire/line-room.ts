/** Sizes of a {@link LineRoom}, in bytes. */
export interface LineRoomSizes {
  /** Space for one read, */
  readonly read: number;
  /** and the least that is worth one. */
  readonly leastRead: number;
}

const SIZES: LineRoomSizes = { read: 256 * 1024, leastRead: 64 * 1024 };

/**
 * Memory of this thread in which one line at a time comes together, from one pipe: its next part is read right behind
 * the last one. Fresh memory for a line of a megabyte costs as much as sending it.
 *
 * What stands here is written over by the next line, unless somebody still needs it ({@link hold}).
 */
export class LineRoom {
  private line: LineInRoom | undefined;
  /** How many lines, or parts of them, are still to be sent. They stand before the line that comes together. */
  private holds = 0;

  constructor(
    private readonly memory: Buffer,
    private readonly sizes = SIZES,
  ) {}

  /**
   * A line of about `length` bytes begins with `part`. Undefined when it is too long, when another one is here, and when
   * something is held and `part` does not stand here already: behind all that is held, as lines come in order.
   */
  begin(part: Buffer, length: number): LineInRoom | undefined {
    const { memory, sizes } = this;
    if (this.line !== undefined || Math.max(part.length, length) > memory.length) return undefined;
    const offset = this.offsetOf(part);
    if (offset === undefined) {
      if (this.isHeld) return undefined;
      part.copy(memory);
    }
    const start = offset ?? 0;
    this.line = new LineInRoom(this, { memory, sizes }, start, start + part.length);
    return this.line;
  }

  /** The line that came together here is complete, or comes together elsewhere. */
  leave(): void {
    this.line = undefined;
  }

  /** These bytes stay until they are {@link release}d: nothing is moved, and no line is copied here. False for others. */
  hold(bytes: Buffer): boolean {
    if (this.offsetOf(bytes) === undefined) return false;
    this.holds += 1;
    return true;
  }

  /** Something that was held is not needed any more. */
  release(): void {
    // It would be somebody else's, and bytes would be lost that nobody misses.
    if (this.holds === 0) throw new Error('nothing is held');
    this.holds -= 1;
  }

  get isHeld(): boolean {
    return this.holds > 0;
  }

  /** Where in this room the bytes stand, if they do. */
  offsetOf(bytes: Buffer): number | undefined {
    const { memory } = this;
    const offset = bytes.byteOffset - memory.byteOffset;
    return bytes.buffer === memory.buffer && offset >= 0 && offset <= memory.length ? offset : undefined;
  }

  /** What nobody needs: all before the line that comes together here. */
  get spare(): Buffer {
    return this.memory.subarray(0, this.isHeld ? 0 : (this.line?.start ?? this.memory.length));
  }
}

/** The line that comes together in a {@link LineRoom}. */
export class LineInRoom {
  constructor(
    readonly room: LineRoom,
    private readonly where: { readonly memory: Buffer; readonly sizes: LineRoomSizes },
    /** Where it begins in the room, */
    public start: number,
    /** and where it ends so far. */
    private end: number,
  ) {}

  get bytes(): Buffer {
    return this.where.memory.subarray(this.start, this.end);
  }

  /** Adds what has come. False when there is no space for it. */
  add(part: Buffer): boolean {
    const { room, end } = this;
    const { memory } = this.where;
    if (end + part.length > memory.length) return false;
    if (room.offsetOf(part) !== end) part.copy(memory, end);
    this.end += part.length;
    return true;
  }

  /**
   * Where the next part is best read to, for which the line may be moved; undefined when there is no space left. Not
   * before the turn is over: lines that have come behind it may stand there.
   */
  makePlace(): Buffer | undefined {
    const { memory, sizes } = this.where;
    if (this.isBestMoved() && !this.room.isHeld) {
      memory.copyWithin(0, this.start, this.end);
      this.end -= this.start;
      this.start = 0;
    }
    const { end } = this;
    return memory.length - end < sizes.leastRead ? undefined : memory.subarray(end, end + sizes.read);
  }

  /** No space is left behind it, or so little has come of it that it pays to read where memory is in the processor's cache. */
  private isBestMoved(): boolean {
    const { start, end } = this;
    const { memory, sizes } = this.where;
    return memory.length - end < sizes.leastRead || start > Math.max(sizes.leastRead, 2 * (end - start));
  }

  leave(): void {
    this.room.leave();
  }
}
