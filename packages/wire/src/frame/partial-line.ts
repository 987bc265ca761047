import type { LineInRoom, LineRoom } from '../pipe/line-room.js';
import { atScopeEnd } from '../pipe/read-scope.js';

/** A line that is kept may keep so much alive, as a multiple of its own length, before it is copied once more. */
const WORTH_A_COPY = 1.25;
const EMPTY = Buffer.alloc(0);

/** Gives the room for a line of about `length` bytes, if there is one and the line is worth it. */
export type RoomFor = (length: number) => LineRoom | undefined;

/**
 * The beginning of a line whose end has not come yet.
 *
 * Peers often send lines of one length after another. So the first part is given as much memory as the last such line
 * took, and what comes after it needs no second copy. A long line comes together in the room, if there is one and it has
 * a place.
 */
export class PartialLine {
  length = 0;
  private inRoom: LineInRoom | undefined;
  private memory: Buffer = EMPTY;
  private filled = 0;
  /** What had no place in the memory. */
  private readonly parts: Buffer[] = [];
  private expectedLength = 0;

  /** @param roomFor where a line of so many bytes may come together that is only lent */
  constructor(private readonly roomFor?: RoomFor) {}

  /** Adds `part`, which is copied, if it does not stand in the room where it belongs. */
  add(part: Buffer): void {
    if (part.length === 0) return;
    const isFirst = this.length === 0;
    this.length += part.length;
    if (isFirst) this.begin(part);
    else if (this.inRoom === undefined) this.keep(part);
    else if (!this.inRoom.add(part)) this.leaveRoom(part);
  }

  /** Where the next part is best read to, if that is not all the same. Not before the turn is over. */
  makePlace(): Buffer | undefined {
    return this.inRoom?.makePlace();
  }

  /** Hands over the line as far as it has come, and nothing is left here. It is gone when the turn is over if it was in the room. */
  take(sink: (line: Buffer) => void): void {
    const { inRoom } = this;
    const line = inRoom?.bytes ?? this.whole();
    const room = inRoom?.room;
    this.expectedLength = line.length;
    const hold = room?.hold(line);
    this.clear();
    try {
      sink(line);
    } finally {
      // Behind whatever sends it: that has been asked for by now.
      if (hold !== undefined) atScopeEnd(() => room?.release(hold));
    }
  }

  /** Forgets the line. */
  clear(): void {
    this.length = 0;
    this.inRoom?.leave();
    this.inRoom = undefined;
    this.memory = EMPTY;
    this.filled = 0;
    this.parts.length = 0;
  }

  /** What is there, in pieces. */
  pieces(): readonly Buffer[] {
    if (this.inRoom !== undefined) return [this.inRoom.bytes];
    return [this.memory.subarray(0, this.filled), ...this.parts];
  }

  private begin(part: Buffer): void {
    const length = Math.max(part.length, this.expectedLength);
    this.inRoom = this.roomFor?.(length)?.begin(part, length);
    if (this.inRoom !== undefined) return;
    if (part.length < this.expectedLength) this.memory = Buffer.allocUnsafeSlow(this.expectedLength);
    this.keep(part);
  }

  private keep(part: Buffer): void {
    if (this.parts.length > 0 || this.filled + part.length > this.memory.length) {
      this.parts.push(Buffer.from(part));
    } else {
      this.filled += part.copy(this.memory, this.filled);
    }
  }

  /** Goes on in memory of its own, with `part`. */
  private leaveRoom(part: Buffer): void {
    const before = this.inRoom?.bytes ?? EMPTY;
    this.parts.push(Buffer.from(before), Buffer.from(part));
    this.inRoom?.leave();
    this.inRoom = undefined;
  }

  private whole(): Buffer {
    const pieces = this.pieces();
    const [first, second] = pieces;
    if (second !== undefined) return Buffer.concat(pieces, this.length);
    const line = first ?? EMPTY;
    return line.length * WORTH_A_COPY < this.memory.length ? Buffer.from(line) : line;
  }
}
