import type { Span } from '../json/span.js';

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
 * What stands here is written over by later lines, unless somebody still needs it ({@link hold}).
 */
export class LineRoom {
  private line: LineInRoom | undefined;
  /** Lines, or parts of them, that are still to be sent, in the order in which they stand here. */
  private readonly holds: Span[] = [];

  constructor(
    private readonly memory: Buffer,
    private readonly sizes = SIZES,
  ) {}

  /**
   * A line of about `length` bytes begins with `part`. Undefined when another one is here, and when there is no place for
   * it between what is held.
   */
  begin(part: Buffer, length: number): LineInRoom | undefined {
    const { memory, sizes } = this;
    const expected = Math.max(part.length, length);
    if (this.line !== undefined || expected > memory.length) return undefined;
    const offset = this.offsetOf(part);
    const start = offset ?? this.placeFor(expected);
    if (start === undefined) return undefined;
    if (offset === undefined) part.copy(memory, start);
    this.line = new LineInRoom(this, { memory, sizes, expected }, start, start + part.length);
    return this.line;
  }

  /** The line that came together here is complete, or comes together elsewhere. */
  leave(): void {
    this.line = undefined;
  }

  /** These bytes stay until they are {@link release}d: nothing is read into or moved to their place. Undefined for others. */
  hold(bytes: Buffer): Span | undefined {
    const start = this.offsetOf(bytes);
    if (start === undefined) return undefined;
    const hold = { start, end: start + bytes.length };
    const behind = this.holds.findIndex((other) => other.start > start);
    this.holds.splice(behind === -1 ? this.holds.length : behind, 0, hold);
    return hold;
  }

  /** What was held is not needed any more. */
  release(hold: Span): void {
    const index = this.holds.indexOf(hold);
    // Whoever releases twice may have given up bytes that are still to be sent.
    if (index === -1) throw new Error('this is not held');
    this.holds.splice(index, 1);
  }

  /** For tests: whether anything is held. */
  get isHeld(): boolean {
    return this.holds.length > 0;
  }

  /** Where in this room the bytes stand, if they do. */
  offsetOf(bytes: Buffer): number | undefined {
    const { memory } = this;
    const offset = bytes.byteOffset - memory.byteOffset;
    return bytes.buffer === memory.buffer && offset >= 0 && offset <= memory.length ? offset : undefined;
  }

  /** The first place for `length` bytes where nothing is held. */
  placeFor(length: number): number | undefined {
    let start = 0;
    for (const hold of this.holds) {
      if (hold.start - start >= length) break;
      start = Math.max(start, hold.end);
    }
    return this.memory.length - start < length ? undefined : start;
  }

  /** How many bytes from `start` on are not held. */
  spaceAt(start: number): number {
    const next = this.holds.find((hold) => hold.end > start);
    return Math.max(0, (next?.start ?? this.memory.length) - start);
  }

  /** For tests, which write over it: what nobody needs. */
  get spare(): readonly Buffer[] {
    const needed: Span[] = this.line === undefined ? [...this.holds] : [...this.holds, this.line];
    needed.sort((one, other) => one.start - other.start);
    const spare: Buffer[] = [];
    let start = 0;
    for (const span of needed) {
      if (span.start > start) spare.push(this.memory.subarray(start, span.start));
      start = Math.max(start, span.end);
    }
    return [...spare, this.memory.subarray(start)];
  }
}

/** What is known when a line begins in a room. */
interface Beginning {
  readonly memory: Buffer;
  readonly sizes: LineRoomSizes;
  /** About how long the line will be. */
  readonly expected: number;
}

/** The line that comes together in a {@link LineRoom}. */
export class LineInRoom {
  constructor(
    readonly room: LineRoom,
    private readonly known: Beginning,
    /** Where it begins in the room, */
    public start: number,
    /** and where it ends so far. */
    public end: number,
  ) {}

  get bytes(): Buffer {
    return this.known.memory.subarray(this.start, this.end);
  }

  /** Adds what has come. False when there is no space for it. */
  add(part: Buffer): boolean {
    const { room, end } = this;
    if (room.offsetOf(part) !== end) {
      if (room.spaceAt(end) < part.length) return false;
      part.copy(this.known.memory, end);
    }
    this.end += part.length;
    return true;
  }

  /**
   * Where the next part is best read to, for which the line may be moved; undefined when there is no space left. Not
   * before the turn is over: lines that have come behind it may stand there.
   */
  makePlace(): Buffer | undefined {
    const { room } = this;
    const { memory, sizes, expected } = this.known;
    const length = this.end - this.start;
    const rest = Math.max(sizes.leastRead, expected - length);
    const to = room.placeFor(length + rest);
    if (to !== undefined && (room.spaceAt(this.end) < rest || this.isBetterAt(to))) this.moveTo(to);
    const space = Math.min(sizes.read, room.spaceAt(this.end));
    return space < sizes.leastRead ? undefined : memory.subarray(this.end, this.end + space);
  }

  /**
   * Of short lines many are read at once. When little has come of the last one it pays to move it to where memory is in the
   * processor's cache; of a long one too much has come.
   */
  private isBetterAt(to: number): boolean {
    const { start, end } = this;
    const { sizes, expected } = this.known;
    return expected <= sizes.read && start - to > Math.max(sizes.leastRead, 2 * (end - start));
  }

  private moveTo(to: number): void {
    const { start, end } = this;
    this.known.memory.copyWithin(to, start, end);
    this.start = to;
    this.end = to + end - start;
  }

  leave(): void {
    this.room.leave();
  }
}
